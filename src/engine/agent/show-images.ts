import type { ModelMessage, ImageContent } from "#domain/models/model-call.ts";
import { BlobMissingError, BlobStoreError } from "#lib/blobs/blob-store.ts";
import type { StoredToolFile } from "#tools/define-tool.ts";
import { readContent, unreadableFile } from "../run/file-contents.ts";
import type { EngineServices } from "../run/run-context.ts";

/** Limit of all images that tools return in one run, in bytes: each further model call sends them again. */
const MAX_BYTES = 20 * 1_048_576;

/** Creates the messages that show a model the images returned by its tools. */
export type ImageShow = (images: readonly StoredToolFile[]) => Promise<readonly ModelMessage[]>;

/**
 * Shows the model images from tools in a message after the results, because not every provider accepts images in a
 * result. The messages are the same in every execution, as long as the files exist. They reject with a RunFailure
 * `FILE_UNAVAILABLE` when the file store stays unavailable.
 */
export function createImageShow(engine: Pick<EngineServices, "blobs" | "log">, signal: AbortSignal): ImageShow {
  let left = MAX_BYTES;
  return async (images) => {
    if (images.length === 0) return [];
    const shown: ImageContent[] = [];
    const notes: string[] = [];
    for (const { name, type, blobKey } of images) {
      const data = await readContent(engine, blobKey, signal).catch((error: unknown) =>
        deletedOrThrow(engine, name, error),
      );
      if (data === undefined) notes.push(`${name} has been deleted.`);
      else if (data.length > left) notes.push(`${name} is left out: the images of this run are too large together.`);
      else {
        left -= data.length;
        shown.push({ name, mediaType: type, data });
      }
    }
    const content = ["Images that the tools returned.", ...notes].join(" ");
    return [{ role: "user", content, ...(shown.length > 0 && { images: shown }) }];
  };
}

function deletedOrThrow(engine: Pick<EngineServices, "log">, name: string, error: unknown): undefined {
  if (error instanceof BlobMissingError) return undefined;
  throw error instanceof BlobStoreError ? unreadableFile(engine, name, error) : error;
}
