import { LRUCache } from "lru-cache";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { ValidateFunction } from "ajv/dist/2020.js";
import { default as addFormats } from "ajv-formats";

/** Schemas that stay compiled. */
const MAX_CACHED = 500;

const cache = new LRUCache<string, ValidateFunction>({ max: MAX_CACHED });
/** One for all, since its own schemas take long to compile. */
let compiler: Ajv2020 | undefined;

/** How a value violates a schema: where (`a.0`, `` for the whole) and what is wrong. */
export interface SchemaIssue {
  readonly path: string;
  readonly message: string;
}

/** Finds what is wrong with a value; nothing when it is valid. */
export type SchemaCheck = (value: unknown) => readonly SchemaIssue[];

/** A JSON Schema that cannot be used. */
export class UnusableSchemaError extends Error {
  override readonly name = "UnusableSchemaError";
}

/**
 * Compiles a JSON Schema (draft 2020-12, which reads the usual schemas of earlier drafts). Formats are checked,
 * unknown keywords are ignored, and nothing is loaded from elsewhere. Both the compilation and the check may be made to
 * take indefinitely: a schema that is not ours belongs to the `SchemaChecker`.
 * @throws UnusableSchemaError.
 */
export function compileSchema(schema: Readonly<Record<string, unknown>>): SchemaCheck {
  // It may name an earlier draft, or an id that another schema has.
  const { $schema: _, $id: __, ...own } = schema;
  try {
    const validate = compiled(own);
    return (value) => issuesOf(validate, value);
  } catch (error) {
    throw new UnusableSchemaError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Loads what every compilation needs, which takes longer than most of them. */
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
    // It would remember every schema that it has ever seen.
    ajv.removeSchema(schema);
  }
}

function issuesOf(validate: ValidateFunction, value: unknown): readonly SchemaIssue[] {
  try {
    const errors = validate(value) ? [] : (validate.errors ?? []);
    return errors.map(({ instancePath, message = "is wrong", keyword, params }) => ({
      path: instancePath.slice(1).replaceAll("/", "."),
      message: keyword === "additionalProperties" ? `unknown field ${String(params["additionalProperty"])}` : message,
    }));
  } catch {
    return [{ path: "", message: "the check of this value against the schema fails" }];
  }
}

function newCompiler(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: false, logger: false, ownProperties: true });
  addFormats.default(ajv);
  return ajv;
}
