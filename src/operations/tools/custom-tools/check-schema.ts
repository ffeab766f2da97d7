import { MAX_SCHEMA_LENGTH } from "#domain/tools/custom-tool.ts";
import type { CustomToolPatch } from "#domain/tools/custom-tool.ts";
import { AppError } from "#domain/errors.ts";
import type { FieldIssue } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import { UnusableSchemaError } from "#lib/json-schema/unusable-schema-error.ts";
import type { SchemaChecker } from "#lib/json-schema/schema-checker.ts";
import { SandboxLimitError } from "#lib/sandbox/sandbox-error.ts";
import type { Arguments } from "./request.ts";

/** `Retry-After` when the workspace's CPU time for checks is used up, in seconds. */
const RETRY_AFTER_S = 10;

interface CheckServices {
  readonly schemas: SchemaChecker;
}

/**
 * Checks the JSON Schema of a tool before any transaction; see {@link assertUsableSchema}.
 * @throws AppError as it does.
 */
export async function assertUsableParameters(
  services: CheckServices,
  workspaceId: string,
  { parameters }: Pick<CustomToolPatch, "parameters">,
): Promise<void> {
  if (parameters !== undefined)
    await assertUsableSchema(services, workspaceId, { path: "parameters", schema: parameters });
}

/**
 * Checks a JSON Schema at a path of a request. Call it before any transaction: the check may be queued.
 * @throws AppError `bad_request`; `rate_limit_exceeded` when the workspace's checks use too much CPU time.
 */
export async function assertUsableSchema(
  services: CheckServices,
  workspaceId: string,
  { path, schema }: { readonly path: string; readonly schema: Readonly<Record<string, unknown>> },
): Promise<void> {
  if (JSON.stringify(schema).length > MAX_SCHEMA_LENGTH) {
    throw invalid("body", [{ path, message: `must not be longer than ${MAX_SCHEMA_LENGTH} characters` }]);
  }
  const message = await schemaIssue(services, workspaceId, schema);
  if (message !== undefined) throw invalid("body", [{ path, message }]);
}

/**
 * Returns why a JSON Schema cannot be used; undefined when it can.
 * @throws AppError `rate_limit_exceeded` when the workspace's checks use too much CPU time.
 */
export async function schemaIssue(
  { schemas }: CheckServices,
  workspaceId: string,
  schema: Readonly<Record<string, unknown>>,
): Promise<string | undefined> {
  try {
    await schemas.assertUsable(workspaceId, schema);
    return undefined;
  } catch (error) {
    if (!(error instanceof UnusableSchemaError)) throw asRejection(error);
    return `is not a usable JSON Schema: ${error.message}`;
  }
}

/** The JSON Schema of a tool's arguments, and the workspace whose CPU time its checks use. */
export interface ToolParameters {
  readonly workspaceId: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/**
 * Returns how the arguments of a call violate the tool's schema.
 * @throws AppError `rate_limit_exceeded` when the workspace's checks use too much CPU time.
 */
export async function argumentIssues(
  { schemas }: CheckServices,
  { workspaceId, parameters }: ToolParameters,
  args: Arguments,
): Promise<readonly FieldIssue[]> {
  try {
    return await schemas.check(workspaceId, parameters, args);
  } catch (error) {
    if (!(error instanceof UnusableSchemaError)) throw asRejection(error);
    return [{ path: "", message: `the tool's schema fails: ${error.message}` }];
  }
}

function asRejection(error: unknown): unknown {
  if (!(error instanceof SandboxLimitError)) return error;
  return new AppError(
    "rate_limit_exceeded",
    "The checks of this workspace's JSON Schemas take too much time. Simplify their patterns, or try again later.",
    { headers: { "Retry-After": String(RETRY_AFTER_S) }, cause: error },
  );
}
