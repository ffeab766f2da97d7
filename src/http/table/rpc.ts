import type { z } from "zod";
import { includesRole } from "#domain/access/role.ts";
import type { HttpContext, HttpServices } from "../context.ts";
import { FUNCTION_ALLOW } from "./allow.ts";
import { parseArguments } from "./body.ts";
import { TableError } from "./errors.ts";
import { respondJson } from "./respond.ts";
import { reportRejection } from "./writes/rejections.ts";
import type { Workspace } from "#operations/workspace.ts";
import { requestWorkspace } from "../request-workspace.ts";

/** A function that callers invoke by `POST /rpc/<name>`. */
export interface TableFunction {
  /** The arguments: one required property for each. */
  readonly schema: z.ZodObject;
  /** Runs with the validated arguments; the result is serialized as JSON. */
  run(workspace: Workspace, input: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/** The functions of the API by name. */
export type TableFunctions = Readonly<Record<string, TableFunction>>;

/** Calls a function by name. @throws TableError PGRST202 for an unknown name or other arguments. */
export async function callFunction(
  c: HttpContext,
  services: HttpServices,
  functions: TableFunctions,
): Promise<Response> {
  const name = c.req.param("name") ?? "";
  const found = Object.hasOwn(functions, name) ? functions[name] : undefined;
  if (c.req.method !== "POST") throw found === undefined ? unknownFunction(name, []) : readOnly();
  const args = parseArguments(await c.req.text());
  const given = Object.keys(args);
  if (found === undefined || given.toSorted().join() !== Object.keys(found.schema.shape).toSorted().join()) {
    throw unknownFunction(name, given);
  }
  const workspace = requestWorkspace(services, c, c.get("principal"));
  if (!includesRole(workspace.who.role, "member")) {
    throw new TableError(403, "42501", { message: `permission denied for function ${name}` });
  }
  const parsed = found.schema.safeParse(args);
  if (!parsed.success) throw invalidArgument(args, String(parsed.error.issues[0]?.path[0]));
  return respondJson(c, JSON.stringify(await reportRejection(name, args, () => found.run(workspace, parsed.data))));
}

function invalidArgument(args: Readonly<Record<string, unknown>>, name: string): TableError {
  return new TableError(422, "22P02", {
    message: `invalid input syntax for the parameter ${name}: ${JSON.stringify(args[name])}`,
  });
}

function unknownFunction(name: string, args: readonly string[]): TableError {
  const names = args.toSorted().join(", ");
  const signature = names === "" ? " without parameters" : `(${names})`;
  const searched = names === "" ? "without parameters" : `with parameter${args.length === 1 ? "" : "s"} ${names}`;
  return new TableError(404, "PGRST202", {
    message: `Could not find the function public.${name}${signature} in the schema cache`,
    details: `Searched for the function public.${name} ${searched}, but no matches were found in the schema cache.`,
  });
}

/** Functions change data; PostgREST calls a function by GET in a read-only transaction. */
function readOnly(): TableError {
  return new TableError(405, "25006", {
    message: "cannot execute UPDATE in a read-only transaction",
    headers: { Allow: FUNCTION_ALLOW },
  });
}
