import { setTimeout as sleep } from "node:timers/promises";
import { inputsOf } from "#db/queries/files.ts";
import type { FileOwner, InputFile } from "#db/queries/files.ts";
import { retryOutage } from "#db/retry-outage.ts";
import type { AttachedFile } from "#domain/attachments.ts";
import { kindOfType } from "#domain/media-type.ts";
import { BlobMissing, BlobStoreError } from "#lib/blob-store.ts";
import type { EngineServices } from "./run-context.ts";
import { RunFailure } from "./run-failure.ts";

/** How much a model is given of one file, and of all together, in characters. */
const MOST_OF_FILE = 100_000;
const MOST_OF_ALL = 300_000;
/** How much of pictures, in bytes. */
const MOST_OF_PICTURES = 20 * 1024 * 1024;
/** How long to wait for a store that is away, in milliseconds, one after another. */
const PAUSES_MS = [1_000, 3_000, 9_000];

/**
 * Reads what a task or a run was given, for its model. What is too long is cut, and said to be. The same in every
 * execution: files do not change.
 * @throws RunFailure `FILE_UNAVAILABLE` when a content is not there.
 */
export async function loadAttachments(
  engine: EngineServices,
  owner: FileOwner,
  signal: AbortSignal,
): Promise<AttachedFile[]> {
  const files = await retryOutage(() => inputsOf(engine.db, owner));
  const loaded: AttachedFile[] = [];
  const left = { characters: MOST_OF_ALL, bytes: MOST_OF_PICTURES };
  for (const file of files) {
    const content = await fetchContent(engine, file, signal);
    const { id, name, type } = file;
    loaded.push({ id, name, type, ...read(file, content, left) });
  }
  return loaded;
}

function read({ type }: InputFile, content: Uint8Array, left: { characters: number; bytes: number }) {
  switch (kindOfType(type)) {
    case "image":
      if (content.length > left.bytes) return { unread: "The picture is left out: all together are too large." };
      left.bytes -= content.length;
      return { image: content };
    case "text": {
      const text = cut(new TextDecoder().decode(content), Math.min(MOST_OF_FILE, left.characters));
      left.characters -= Math.min(text.length, left.characters);
      return { text };
    }
    case "document":
      return { unread: "The text of documents of this type cannot be read here." };
  }
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most).toWellFormed()}\n[Cut here: this is the beginning of ${text.length} characters.]`;
}

async function fetchContent({ blobs }: EngineServices, file: InputFile, signal: AbortSignal): Promise<Uint8Array> {
  for (const pause of [...PAUSES_MS, undefined]) {
    try {
      return await blobs.get(file.blobKey);
    } catch (error) {
      if (!(error instanceof BlobStoreError)) throw error;
      if (error instanceof BlobMissing || pause === undefined) {
        throw new RunFailure("FILE_UNAVAILABLE", `The file ${file.name} cannot be read. ${error.message}`);
      }
      await sleep(pause, undefined, { signal });
    }
  }
  throw new Error("The last attempt either gives a content or throws.");
}
