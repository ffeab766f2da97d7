import { serveSandbox } from "../sandbox/serve-sandbox.ts";
import { compileSchema, usablePart, warmUp } from "./compile-schema.ts";
import { UnusableSchemaError } from "./unusable-schema-error.ts";

/** The request from schema-checker.ts, the only sender. */
export interface SchemaRequest {
  readonly schema: Readonly<Record<string, unknown>>;
  /** Absent to check only the schema. */
  readonly value?: unknown;
  /** Asks for the usable part of the schema. */
  readonly wantsPart?: true;
}

warmUp();
serveSandbox(({ schema, value, wantsPart }: SchemaRequest) => {
  try {
    if (wantsPart === true) return { part: usablePart(schema) };
    const check = compileSchema(schema);
    return { issues: value === undefined ? [] : check(value) };
  } catch (error) {
    if (error instanceof UnusableSchemaError) return { unusable: error.message };
    throw error;
  }
});
