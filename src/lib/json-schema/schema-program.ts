import { serveSandbox } from "../sandbox/serve-sandbox.ts";
import { UnusableSchemaError, compileSchema, warmUp } from "./compile-schema.ts";

/** What the only sender, schema-checker.ts, asks. */
export interface SchemaRequest {
  readonly schema: Readonly<Record<string, unknown>>;
  /** Absent to check the schema alone. */
  readonly value?: unknown;
}

warmUp();
serveSandbox(({ schema, value }: SchemaRequest) => {
  try {
    const check = compileSchema(schema);
    return { issues: value === undefined ? [] : check(value) };
  } catch (error) {
    if (error instanceof UnusableSchemaError) return { unusable: error.message };
    throw error;
  }
});
