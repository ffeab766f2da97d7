import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import type { FieldIssue } from "#domain/errors.ts";
import { issuesOf, invalid } from "#domain/invalid.ts";
import { plainMessage } from "#domain/plain-messages.ts";
import { trimLists } from "#domain/trim-lists.ts";
import { findOversize, findOversizeExactly, findUnstorable } from "#domain/storable.ts";
import { isRecord } from "#lib/is-record.ts";
import type { parseExactly } from "#lib/text/exact-json.ts";
import { JsonSyntaxError, parseJson } from "#lib/text/parse-json.ts";
import type { HttpContext } from "../context.ts";

const UTF_8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Reads a request's body as JSON, regardless of its content type. @param parse the parser, `JSON.parse` by default
 * @throws AppError `bad_request` when it is not a JSON object, or contains values that cannot be stored.
 */
export async function readJson(
  c: HttpContext,
  parse?: typeof parseExactly,
): Promise<Readonly<Record<string, unknown>>> {
  const body = jsonOf(await readText(c), parse);
  if (!isRecord(body)) throw new AppError("bad_request", "The body must be a JSON object.");
  return storable(body, "body");
}

/**
 * Reads a request's body as text. Bytes that are not UTF-8 would otherwise be replaced, and stored as U+FFFD.
 * @throws AppError `bad_request`.
 */
export async function readText(c: HttpContext): Promise<string> {
  const bytes = await c.req.arrayBuffer();
  try {
    return UTF_8.decode(bytes);
  } catch (cause) {
    throw new AppError("bad_request", "The body must be UTF-8 and not compressed.", { cause });
  }
}

function jsonOf(text: string, parse?: typeof parseExactly): unknown {
  const oversize = parse === undefined ? findOversize(text) : findOversizeExactly(text);
  if (oversize !== undefined) throw invalid("body", [oversize]);
  try {
    return parseJson(text, parse);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    throw new AppError("bad_request", `The body must be JSON: ${error.message}.`);
  }
}

/** Like {@link readJson}, but a missing body is an empty object. */
export async function readOptionalJson(c: HttpContext): Promise<Readonly<Record<string, unknown>>> {
  return (await isEmpty(c)) ? {} : readJson(c);
}

/** How to read a body. */
interface BodyOptions {
  /** Fields that are dropped unread. */
  readonly readOnly?: readonly string[] | undefined;
  /** The parser; `JSON.parse` by default. */
  readonly parse?: typeof parseExactly | undefined;
}

/**
 * Reads and validates a request's body. First drops read-only fields, as in a record that a client sends back. A POST
 * without required fields may omit the body.
 * @throws AppError `bad_request` with every issue and its path.
 */
export async function readBody<Schema extends z.ZodType>(
  c: HttpContext,
  schema: Schema,
  { readOnly = [], parse }: BodyOptions = {},
): Promise<z.output<Schema>> {
  const isLeftOut = (await isEmpty(c)) && isBodyOptional(c.req.method, schema);
  const body = isLeftOut ? {} : await readJson(c, parse);
  const given = Object.fromEntries(Object.entries(body).filter(([field]) => !readOnly.includes(field)));
  return checkBody(schema, given);
}

/** Validates a body that was read before. @throws AppError `bad_request` with every issue and its path. */
export function checkBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  return check(schema, body, "body");
}

async function isEmpty(c: HttpContext): Promise<boolean> {
  return (await c.req.arrayBuffer()).byteLength === 0;
}

/** True if a request may omit its body: a POST with optional fields only. */
export function isBodyOptional(method: string, schema: z.ZodType): boolean {
  return method.toUpperCase() === "POST" && schema.safeParse({}).success;
}

/**
 * Validates a request's query parameters. Those that the schema declares as lists may be repeated, others come once.
 * @throws AppError `bad_request` with every issue and its path.
 */
export function readQuery<Schema extends z.ZodObject>(c: HttpContext, schema: Schema): z.output<Schema> {
  const given = Object.entries(c.req.queries()).map(([name, values]) => {
    if (isList(schema.shape[name])) return [name, values];
    if (values.length > 1) throw invalid("query", [{ path: name, message: "must be given once" }]);
    return [name, values[0]];
  });
  return check(schema, storable(Object.fromEntries(given), "query"), "query");
}

function isList(schema: z.core.$ZodType | undefined): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return isList(schema.unwrap());
  return schema instanceof z.ZodArray;
}

/** Validates the parameters of a request's path. @throws AppError `bad_request` with every issue and its path. */
export function readParams<Schema extends z.ZodType>(c: HttpContext, schema: Schema): z.output<Schema> {
  return check(schema, storable(c.req.param(), "path"), "path");
}

function storable<Value>(value: Value, part: string): Value {
  const issue = findUnstorable(value);
  if (issue !== undefined) throw invalid(part, [issue]);
  return value;
}

function check<Schema extends z.ZodType>(schema: Schema, value: unknown, part: string): z.output<Schema> {
  const parsed = schema.safeParse(trimLists(schema, value), { error: plainMessage });
  if (parsed.success) return parsed.data;
  const issues = issuesOf(parsed.error);
  const isUndecided = parsed.error.issues[0]?.code === "invalid_union";
  throw invalid(part, isUndecided ? [...issues, ...sharedIssues(schema, value)] : issues);
}

/** The issues of every variant of a union; the union's own issue names only the field that chooses the variant. */
function sharedIssues(schema: z.ZodType, value: unknown): FieldIssue[] {
  if (!(schema instanceof z.ZodDiscriminatedUnion)) return [];
  const [first = [], ...others] = schema.options.map((variant) => {
    const { error } = z.safeParse(variant, value, { error: plainMessage });
    return error === undefined ? [] : issuesOf(error);
  });
  return first.filter(({ path, message }) =>
    others.every((issues) => issues.some((other) => other.path === path && other.message === message)),
  );
}
