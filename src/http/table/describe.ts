import type { RouteConfig } from "@hono/zod-openapi";
import { z } from "zod";
import { installed } from "../api/agents/marketplace.ts";
import { headerRefs } from "../api/shape/components.ts";
import type { Registry } from "../api/shape/components.ts";
import { TABLE_ROOT } from "./root.ts";
import { TABLES } from "./tables.ts";
import { WRITERS } from "./writes/index.ts";

const FILTERS = "Filters are query parameters named after columns, as in `status=eq.completed`.";
const DIALECT = `The dialect is PostgREST's; \`GET ${TABLE_ROOT}/\` returns its own document of all columns.`;

const ROW_EXAMPLE = { name: "Researcher", model: "demo" };
const row = z.record(z.string(), z.unknown()).meta({
  id: "TableRow",
  description: "Columns by name.",
  examples: [ROW_EXAMPLE],
});
/** The forms of rows. */
const ROWS = {
  "application/json": { schema: z.array(row), example: [ROW_EXAMPLE] },
  "application/vnd.pgrst.object+json": { schema: row },
  "text/csv": { schema: z.string() },
};
const error = z
  .object({ code: z.string(), message: z.string(), details: z.string().nullable(), hint: z.string().nullable() })
  .meta({ id: "TableError", description: "An error with the codes of PostgREST and PostgreSQL." });
const increment = z.object({ agent_row_id: z.uuid() }).meta({
  id: "IncrementInstallCountRequest",
  examples: [{ agent_row_id: "01a1f0c2-5a30-7000-8000-000000000001" }],
});

const writable = (verb: "insert" | "update" | "remove") =>
  [...WRITERS].flatMap(([table, writer]) => (writer[verb] === undefined ? [] : [table]));
const select = z.string().optional().describe("Columns and embedded tables, as in `id,name,tasks(*)`.");
const page = z.object({
  select,
  order: z.string().optional().describe("As in `created_at.desc`."),
  limit: z.coerce.number().int().optional().describe("The maximum number of rows."),
  offset: z.coerce.number().int().optional().describe("The number of rows to skip."),
});

/** Describes the table API for the OpenAPI document. */
export function describeTableApi(registry: Registry): void {
  registry.registerComponent("securitySchemes", "anonKey", {
    type: "apiKey",
    in: "header",
    name: "apikey",
    description: "The anon key of the service, or a table key.",
  });
  registry.registerComponent("securitySchemes", "tableKey", {
    type: "http",
    scheme: "bearer",
    description: "A table key, or the access token of a signed-in person.",
  });
  for (const operation of operations()) registry.registerPath(operation);
}

function operations(): readonly RouteConfig[] {
  const rows = { description: "The rows, in the form that `Accept` names.", content: ROWS };
  const change = { 200: rows, 204: { description: "Done; without `Prefer: return=representation`." } };
  const insertBody = z.union([row, z.array(row)]);
  return [
    {
      ...about("get", [...TABLES.keys()], page),
      operationId: "selectRows",
      summary: "Read rows of a table",
      description: `${FILTERS} ${DIALECT}`,
      responses: answers({ 200: rows, 206: { ...rows, description: "Some of the rows." } }, [416]),
    },
    {
      ...about("post", writable("insert"), z.object({ select }), insertBody),
      operationId: "insertRows",
      summary: "Insert one or more rows",
      description: `An empty list adds nothing. ${DIALECT}`,
      responses: answers({
        200: { ...rows, description: "Nothing was added; with `Prefer: resolution=…`, rows were changed or kept." },
        201: { ...rows, description: "Added. With `Prefer: return=representation`, the rows." },
      }),
    },
    {
      ...about("patch", writable("update"), z.object({ select }), row),
      operationId: "updateRows",
      summary: "Change rows of a table",
      description: `${FILTERS} ${DIALECT}`,
      responses: answers(change),
    },
    {
      ...about("delete", writable("remove"), z.object({ select })),
      operationId: "deleteRows",
      summary: "Delete rows of a table",
      description: `${FILTERS} ${DIALECT}`,
      responses: answers(change),
    },
    callOperation(),
  ];
}

function about(
  method: "get" | "post" | "patch" | "delete",
  tables: readonly string[],
  query: z.ZodObject,
  body?: z.ZodType,
) {
  return {
    ...COMMON,
    method,
    path: `${TABLE_ROOT}/{table}`,
    request: {
      params: z.object({ table: z.enum(tables) }),
      query,
      ...(body && { body: { content: { "application/json": { schema: body } }, required: true } }),
    },
  };
}

const COMMON = { tags: ["Table API"], security: [{ anonKey: [], tableKey: [] }] };

function callOperation(): RouteConfig {
  return {
    ...COMMON,
    method: "post",
    path: `${TABLE_ROOT}/rpc/{name}`,
    operationId: "callFunction",
    summary: "Call a function",
    description: `Installs a published agent. ${DIALECT}`,
    request: {
      params: z.object({ name: z.enum(["increment_install_count"]) }),
      body: { content: { "application/json": { schema: increment } }, required: true },
    },
    responses: answers({
      200: {
        description: "Installed.",
        content: { "application/json": { schema: installed } },
      },
    }),
  };
}

/** The statuses of errors that every operation may respond with. */
const REJECTED = [400, 401, 403, 404, 406, 409, 413, 414, 422, 429, 500, 503, 504];

function answers(success: Readonly<Record<number, object>>, others: readonly number[] = []): RouteConfig["responses"] {
  const rejected = { description: "Rejected.", content: { "application/json": { schema: error } } };
  const statuses = [...REJECTED, ...others].map((status) => [status, rejected] as const);
  const headers = headerRefs(["X-Request-Id"]);
  return Object.fromEntries(
    [...Object.entries(success), ...statuses].map(([status, response]) => [status, { ...response, headers }]),
  );
}
