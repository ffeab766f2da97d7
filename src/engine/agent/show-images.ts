import type { ModelMessage, ImageContent } from "#domain/models/model-call.ts";
import { BlobMissing } from "#lib/blobs/blob-store.ts";
import type { StoredToolFile } from "#tools/define-tool.ts";
import type { EngineServices } from "../run/run-context.ts";

/** Of all images that tools return in a run, in bytes: every further model call sends them again. */
const MAX_BYTES = 20 * 1_048_576;

/** Makes the messages in which a model is shown what images its tools have returned. */
export type ImageShow = (images: readonly StoredToolFile[]) => Promise<readonly ModelMessage[]>;

/**
 * Shows a run's model the images that tools return, after their results: not every provider takes images in a result.
 * In every execution of the run the messages are the same, as long as the files exist.
 */
export function createImageShow({ blobs }: Pick<EngineServices, "blobs">): ImageShow {
  let left = MAX_BYTES;
  return async (images) => {
    if (images.length === 0) return [];
    const shown: ImageContent[] = [];
    const notes: string[] = [];
    for (const { name, type, blobKey } of images) {
      const data = await blobs.get(blobKey).catch(missingAsUndefined);
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

function missingAsUndefined(error: unknown): undefined {
  if (error instanceof BlobMissing) return undefined;
  throw error;
}
