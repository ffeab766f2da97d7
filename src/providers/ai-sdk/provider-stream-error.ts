import { TypeValidationError } from "@ai-sdk/provider";
import { isRecord } from "#lib/is-record.ts";

/** An error that the provider reported inside a stream, in the AI SDK's form. */
export class ProviderStreamError extends Error {
  readonly report: unknown;

  constructor(report: unknown) {
    super("The provider reported an error inside the stream.");
    this.name = "ProviderStreamError";
    this.report = report;
  }
}

/** Whether a package could not read a chunk of a stream that is no error of the provider: one of another form. */
export function isUnknownChunk(error: unknown): boolean {
  return TypeValidationError.isInstance(error) && !hasError(error.value);
}

/** Whether a chunk holds an error of the provider. */
export function hasError(chunk: unknown): boolean {
  return isRecord(chunk) && (chunk["error"] ?? undefined) !== undefined;
}
