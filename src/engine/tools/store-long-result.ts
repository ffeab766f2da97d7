import { AppError } from "#domain/errors.ts";
import type { ToolCall } from "#domain/models/reply-parts.ts";
import { BlobStoreError } from "#lib/blobs/blob-store.ts";
import { idempotencyKeyOf } from "../run/call-ids.ts";
import { maxResultLength } from "../run/context-window.ts";
import type { EngineServices, Run } from "../run/run-context.ts";
import { READ_RESULT } from "./read-result.ts";
import { storeToolFile } from "./store-tool-file.ts";
import type { ToolResult } from "../run/tool-result.ts";

/** A tool call with its result. */
interface CallResult {
  readonly call: Pick<ToolCall, "id" | "name">;
  readonly result: ToolResult;
}

/**
 * Stores a result that is too long for the model as a file of the task or team run; the model is shown its beginning
 * and how to read more. A repeated call stores the same file.
 */
export async function storeLongResult(
  engine: EngineServices,
  run: Run,
  { call, result }: CallResult,
): Promise<ToolResult> {
  const { output } = result;
  const max = maxResultLength(engine, run);
  if (output.length <= max) return result;
  const shown = `${output.slice(0, max).toWellFormed()}\n\n[These are the first ${max} of ${output.length} characters.`;
  const file = { name: `${call.name}.txt`, mediaType: "text/plain", data: new TextEncoder().encode(output) };
  try {
    const { id } = await storeToolFile(engine, run, { name: `${idempotencyKeyOf(run, call)}:result`, file });
    const more = `All of it is stored as ${id}; ${READ_RESULT} reads more: {"id":"${id}","from":${max}}.]`;
    return { ...result, output: `${shown} ${more}`, stored: id };
  } catch (error) {
    if (!(error instanceof AppError || error instanceof BlobStoreError)) throw error;
    engine.log.warn({ err: error, tool: call.name }, "a long result was not stored");
    return { ...result, output: `${shown} The others could not be stored.]` };
  }
}
