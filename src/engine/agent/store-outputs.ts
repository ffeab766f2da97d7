import type { CreatedFile } from "#db/queries/files/files.ts";
import { addTimestamp } from "#domain/streams/stream-event.ts";
import type { StreamEvent } from "#domain/streams/stream-event.ts";
import type { OutputFile } from "#domain/files/output-files.ts";
import { BlobStoreError } from "#lib/blobs/blob-store.ts";
import { newId } from "#lib/ids.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import { storeContent } from "../run/file-contents.ts";
import type { EngineServices } from "../run/run-context.ts";

const UNAVAILABLE = "The code blocks of the result were not stored as files: the file store is unavailable.";

/** The files of a result, and events that explain missing ones. */
export interface StoredOutputs {
  readonly files: readonly CreatedFile[];
  readonly events: readonly StreamEvent[];
}

/**
 * Stores the contents of a result's files. Their rows are inserted when the run ends; contents without rows are removed
 * later by the janitor. If files cannot be found or stored, the result keeps its text with the code blocks, and an
 * event says why.
 */
export async function storeOutputs(
  engine: EngineServices,
  { workspaceId, result }: { readonly workspaceId: string; readonly result: string },
): Promise<StoredOutputs> {
  const found = await engine.outputs.find(workspaceId, result);
  if ("skipped" in found) {
    engine.log.warn({ err: found.cause, workspaceId }, found.skipped);
    return { files: [], events: [skipped(found.skipped)] };
  }
  const { files } = found;
  try {
    return { files: await allSettledOrThrow(files.map((file) => store(engine, workspaceId, file))), events: [] };
  } catch (error) {
    if (!(error instanceof BlobStoreError)) throw error;
    engine.log.error({ err: error, files: files.map(({ name }) => name) }, "the files of a result were not stored");
    return { files: [], events: [skipped(UNAVAILABLE)] };
  }
}

function skipped(message: string): StreamEvent {
  return addTimestamp({ type: "CUSTOM", name: "FILES_SKIPPED", value: { message } }, new Date());
}

async function store(
  engine: EngineServices,
  workspaceId: string,
  { name, type, text }: OutputFile,
): Promise<CreatedFile> {
  const id = newId();
  const content = new TextEncoder().encode(text);
  const key = `files/${workspaceId}/${id}`;
  await storeContent(engine, { key, content, mediaType: type });
  return { id, name, type, size: content.length, blob_key: key };
}
