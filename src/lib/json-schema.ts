import { LRUCache } from "lru-cache";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { ValidateFunction } from "ajv/dist/2020.js";
import { default as addFormats } from "ajv-formats";
import { TookTooLong, runWithin } from "./run-within.ts";

/** For compiling a schema and for a check: what somebody wrote may be made to take for ever. */
const COMPILE_MS = 1_000;
const CHECK_MS = 250;
/** Schemas that stay compiled. */
const KEPT = 500;

const kept = new LRUCache<string, ValidateFunction>({ max: KEPT });
/** One for all, since its own schemas take long to compile. */
let compiler: Ajv2020 | undefined;

/** What a value is found to lack: where (`a.0`, `` for the whole) and what is wrong. */
export interface SchemaFault {
  readonly path: string;
  readonly message: string;
}

/** Finds what is wrong with a value; nothing when it fits. */
export type SchemaCheck = (value: unknown) => readonly SchemaFault[];

/** A JSON Schema that cannot be used. */
export class UnusableSchema extends Error {
  override readonly name = "UnusableSchema";
}

/**
 * Compiles a JSON Schema (draft 2020-12, which reads the usual schemas of earlier drafts). Formats are checked,
 * unknown keywords are passed over, and nothing is loaded from elsewhere.
 * @throws UnusableSchema.
 */
export function compileSchema(schema: Readonly<Record<string, unknown>>): SchemaCheck {
  // It may name an earlier draft, or an id that another schema has.
  const { $schema: _, $id: __, ...own } = schema;
  try {
    const validate = compiled(own);
    return (value) => check(() => (validate(value) ? [] : (validate.errors ?? [])));
  } catch (error) {
    throw new UnusableSchema(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function compiled(schema: Readonly<Record<string, unknown>>): ValidateFunction {
  const key = JSON.stringify(schema);
  const known = kept.get(key);
  if (known !== undefined) return known;
  const ajv = (compiler ??= newCompiler());
  try {
    const validate = runWithin(COMPILE_MS, () => ajv.compile(schema));
    kept.set(key, validate);
    return validate;
  } finally {
    // It would remember every schema that it has ever seen.
    ajv.removeSchema(schema);
  }
}

interface Finding {
  readonly instancePath: string;
  readonly message?: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

function check(run: () => readonly Finding[]): readonly SchemaFault[] {
  try {
    return runWithin(CHECK_MS, run).map(({ instancePath, message = "is wrong", keyword, params }) => ({
      path: instancePath.slice(1).replaceAll("/", "."),
      message: keyword === "additionalProperties" ? `unknown field ${String(params["additionalProperty"])}` : message,
    }));
  } catch (error) {
    const reason = error instanceof TookTooLong ? "takes too long" : "fails";
    return [{ path: "", message: `the check of this value against the schema ${reason}` }];
  }
}

function newCompiler(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: false, logger: false, ownProperties: true });
  addFormats.default(ajv);
  ajv.compile({ type: "object" });
  return ajv;
}
