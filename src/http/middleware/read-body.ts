import type { z } from "zod";
import { AppError } from "#domain/errors.ts";
import { issuesOf, invalid } from "#domain/invalid.ts";
import { plainMessage } from "#domain/plain-messages.ts";
import { findUnstorable } from "#domain/storable.ts";
import type { HttpContext } from "../context.ts";

/**
 * Reads a request's body as JSON, whatever its content type says.
 * @throws AppError `bad_request` when it is not a JSON object, or holds what could not be stored.
 */
export async function readJson(c: HttpContext): Promise<Readonly<Record<string, unknown>>> {
  const text = await c.req.text();
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (error) {
    const reason = text === "" ? "it is empty" : error instanceof Error ? error.message : String(error);
    throw new AppError("bad_request", `The body must be JSON: ${reason}`);
  }
  if (!isObject(body)) throw new AppError("bad_request", "The body must be a JSON object.");
  return storable(body, "body");
}

/** The same where a body may be left out: without one it is an empty object. */
export async function readOptionalJson(c: HttpContext): Promise<Readonly<Record<string, unknown>>> {
  return (await c.req.text()) === "" ? {} : readJson(c);
}

/**
 * Reads and checks a request's body. Read-only fields, as in a record that a client sends back,
 * are left out first. A POST whose form asks for nothing may come without a body.
 * @throws AppError `bad_request` with every fault and its path.
 */
export async function readBody<Schema extends z.ZodType>(
  c: HttpContext,
  schema: Schema,
  readOnly: readonly string[] = [],
): Promise<z.output<Schema>> {
  const isLeftOut = (await c.req.text()) === "" && mayBeLeftOut(c.req.method, schema);
  const body = isLeftOut ? {} : await readJson(c);
  const given = Object.fromEntries(Object.entries(body).filter(([field]) => !readOnly.includes(field)));
  return check(schema, given, "body");
}

/** Whether a request of this method may come without its body: a POST whose form has only optional fields. */
export function mayBeLeftOut(method: string, schema: z.ZodType): boolean {
  return method.toUpperCase() === "POST" && schema.safeParse({}).success;
}

/** Checks a request's query parameters. @throws AppError `bad_request` with every fault and its path. */
export function readQuery<Schema extends z.ZodType>(c: HttpContext, schema: Schema): z.output<Schema> {
  return check(schema, storable(c.req.query(), "query"), "query");
}

/**
 * Checks a request's query parameters, of which some may come several times: those are read as lists.
 * @throws AppError `bad_request` with every fault and its path.
 */
export function readRepeatedQuery<Schema extends z.ZodType>(
  c: HttpContext,
  schema: Schema,
  repeatable: readonly string[],
): z.output<Schema> {
  const given = Object.entries(c.req.queries()).map(([name, values]) => [
    name,
    repeatable.includes(name) ? values : values.at(-1),
  ]);
  return check(schema, storable(Object.fromEntries(given), "query"), "query");
}

/** Checks the parameters in a request's path. @throws AppError `bad_request` with every fault and its path. */
export function readParams<Schema extends z.ZodType>(c: HttpContext, schema: Schema): z.output<Schema> {
  return check(schema, storable(c.req.param(), "path"), "path");
}

function storable<Value>(value: Value, part: string): Value {
  const fault = findUnstorable(value);
  if (fault !== undefined) throw invalid(part, [fault]);
  return value;
}

function check<Schema extends z.ZodType>(schema: Schema, value: unknown, part: string): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: plainMessage });
  if (parsed.success) return parsed.data;
  throw invalid(part, issuesOf(parsed.error));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
