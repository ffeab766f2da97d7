import { LRUCache } from "lru-cache";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { ValidateFunction } from "ajv/dist/2020.js";
import { default as addFormats } from "ajv-formats";
import { isRecord } from "../is-record.ts";
import { UnusableSchemaError } from "./unusable-schema-error.ts";

/** The number of cached compiled schemas. */
const MAX_CACHED = 500;
/** The number of keywords that are removed from a schema to make it usable. */
const MAX_REMOVED = 200;
/** A value can violate a schema in several places; to correct it, one needs to know of more than the first. */
const MAX_ISSUES = 20;

const cache = new LRUCache<string, ValidateFunction>({ max: MAX_CACHED });
/** A single instance, because its meta-schemas take long to compile. */
let compiler: Ajv2020 | undefined;

/** A violation of a schema: its path (`a.0`; empty for the root) and message. */
export interface SchemaIssue {
  readonly path: string;
  readonly message: string;
}

/** Returns the first violations of a value; an empty list when it is valid. */
export type SchemaCheck = (value: unknown) => readonly SchemaIssue[];

/**
 * Compiles a JSON Schema (draft 2020-12, which also accepts the common schemas of earlier drafts). Formats are checked,
 * unknown keywords ignored, and remote references not loaded. A hostile schema can make compilation or validation run
 * forever: use `SchemaChecker` for schemas from users.
 * @throws UnusableSchemaError
 */
export function compileSchema(schema: Readonly<Record<string, unknown>>): SchemaCheck {
  // The schema may name an earlier draft, or an id used by another schema.
  const { $schema: _, $id: __, ...own } = schema;
  try {
    const validate = compiled(own);
    return (value) => issuesOf(validate, value);
  } catch (error) {
    throw new UnusableSchemaError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/**
 * Returns a schema without the keywords that make it unusable: patterns of other languages, and what earlier drafts
 * wrote in another way. A schema without such keywords is returned as it is.
 * @throws UnusableSchemaError when the rest cannot be used either
 */
export function usablePart(schema: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { $schema: _, ...own } = schema;
  const part = structuredClone(own);
  const ajv = (compiler ??= newCompiler());
  let isChanged = removePatterns(part);
  for (let removed = 0; removed < MAX_REMOVED && ajv.validateSchema(part) === false; removed++) {
    const path = ajv.errors?.[0]?.instancePath.slice(1).split("/").map(unescaped) ?? [];
    if (!removeAt(part, path)) break;
    isChanged = true;
  }
  compileSchema(part);
  return isChanged ? part : schema;
}

/** Removes the patterns that are no regular expressions of JavaScript; returns whether there was one. */
function removePatterns(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.map(removePatterns).includes(true);
  if (!isRecord(schema)) return false;
  const { pattern, patternProperties } = schema;
  let isChanged = typeof pattern === "string" && !isPattern(pattern) && delete schema["pattern"];
  for (const key of isRecord(patternProperties) ? Object.keys(patternProperties) : []) {
    if (!isPattern(key)) isChanged = removeAt(patternProperties, [key]);
  }
  return Object.values(schema).map(removePatterns).includes(true) || isChanged;
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, "u").unicode;
  } catch {
    return false;
  }
}

/** A segment of a JSON pointer: https://www.rfc-editor.org/rfc/rfc6901#section-3. */
function unescaped(segment: string): string {
  return segment.replaceAll("~1", "/").replaceAll("~0", "~");
}

function removeAt(schema: unknown, path: readonly string[]): boolean {
  const [key = "", ...rest] = path;
  if (Array.isArray(schema)) {
    if (rest.length > 0) return removeAt(schema[Number(key)], rest);
    return schema.splice(Number(key), 1).length > 0;
  }
  if (!isRecord(schema) || !Object.hasOwn(schema, key)) return false;
  return rest.length > 0 ? removeAt(schema[key], rest) : delete schema[key];
}

/** Loads what every compilation needs, which takes longer than most compilations. */
export function warmUp(): void {
  compileSchema({ type: "object" });
}

function compiled(schema: Readonly<Record<string, unknown>>): ValidateFunction {
  const key = JSON.stringify(schema);
  const known = cache.get(key);
  if (known !== undefined) return known;
  const ajv = (compiler ??= newCompiler());
  try {
    const validate = ajv.compile(schema);
    cache.set(key, validate);
    return validate;
  } finally {
    // Otherwise the instance would keep every schema forever.
    ajv.removeSchema(schema);
  }
}

function issuesOf(validate: ValidateFunction, value: unknown): readonly SchemaIssue[] {
  try {
    const errors = validate(value) ? [] : (validate.errors ?? []);
    return errors.slice(0, MAX_ISSUES).map(({ instancePath, message = "is wrong", keyword, params }) => ({
      path: instancePath.slice(1).replaceAll("/", "."),
      message: keyword === "additionalProperties" ? `unknown field ${String(params["additionalProperty"])}` : message,
    }));
  } catch {
    return [{ path: "", message: "the check of this value against the schema fails" }];
  }
}

function newCompiler(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, logger: false, ownProperties: true });
  addFormats.default(ajv);
  return ajv;
}
