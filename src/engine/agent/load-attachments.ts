import { inputsOf } from "#db/queries/files/files.ts";
import type { FileOwner, InputFile } from "#db/queries/files/files.ts";
import type { AttachedFile } from "#domain/files/attachments.ts";
import { kindOfType } from "#domain/files/media-type.ts";
import { BlobStoreError } from "#lib/blobs/blob-store.ts";
import { extractText } from "#lib/extraction/extract-text.ts";
import { ExtractionError } from "#lib/extraction/limits.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import { SlotTimeoutError, createFairLimiter } from "#lib/async/fair-limiter.ts";
import type { EngineServices } from "../run/run-context.ts";
import { readContent, unreadableFile } from "../run/file-contents.ts";

/** Limits of the text given to a model, per file and in total, in characters. */
const MAX_FILE_CHARACTERS = 100_000;
const MAX_TOTAL_CHARACTERS = 300_000;
/** Limit of the images, in bytes. */
const MAX_IMAGE_BYTES = 20 * 1024 * 1024;
const PDF = "application/pdf";
/** How many documents are read at a time, each in its own process; others wait. */
const reading = createFairLimiter({ total: 3, perKey: 2, timeoutMs: 300_000 });

/**
 * Reads the attachments of a task or run for its model. Long text is cut and marked as cut. The result is the same in
 * every execution, because files do not change.
 * @throws RunFailure `FILE_UNAVAILABLE` when a file's content is missing
 */
export async function loadAttachments(
  engine: EngineServices,
  { workspaceId, ...owner }: FileOwner & { readonly workspaceId: string },
  signal: AbortSignal,
): Promise<AttachedFile[]> {
  const files = await inputsOf(engine.db, owner);
  const read = await allSettledOrThrow(
    files.map(async (file) => {
      const content = await fetchContent(engine, file, signal);
      return { file, content, text: await textOf(engine, { type: file.type, content, workspaceId }, signal) };
    }),
  );
  const left = { characters: MAX_TOTAL_CHARACTERS, bytes: MAX_IMAGE_BYTES };
  return read.map(({ file: { id, name, type }, content, text }) => ({ id, name, type, ...give(text, content, left) }));
}

/** How much of the limits is left. */
interface RemainingLimits {
  characters: number;
  bytes: number;
}

type Given = { readonly text: string } | { readonly image: Uint8Array } | { readonly unread: string };

/** The text of a file; for an image, undefined; if it cannot be read, the reason. */
async function textOf(
  { extraction }: EngineServices,
  { type, content, workspaceId }: { readonly type: string; readonly content: Uint8Array; readonly workspaceId: string },
  signal: AbortSignal,
): Promise<Exclude<Given, { readonly image: Uint8Array }> | undefined> {
  switch (kindOfType(type)) {
    case "image":
      return undefined;
    case "text":
      return { text: new TextDecoder().decode(content) };
    case "document": {
      const format = type === PDF ? "pdf" : "docx";
      try {
        const limits = { format, limits: extraction, signal } as const;
        const { text, warnings } = await reading.take(workspaceId, () => extractText(content, limits), signal);
        return { text: [...warnings.map((warning) => `[Not read in full: ${warning}]`), text].join("\n") };
      } catch (error) {
        if (error instanceof SlotTimeoutError)
          return { unread: "Its text was not read: too many others are being read." };
        if (!(error instanceof ExtractionError)) throw error;
        return { unread: `Its text cannot be read. ${error.message}` };
      }
    }
  }
}

function give(
  read: Exclude<Given, { readonly image: Uint8Array }> | undefined,
  content: Uint8Array,
  left: RemainingLimits,
): Given {
  if (read === undefined) {
    if (content.length > left.bytes) return { unread: "The picture is left out: all together are too large." };
    left.bytes -= content.length;
    return { image: content };
  }
  if ("unread" in read) return read;
  const text = cut(read.text, Math.min(MAX_FILE_CHARACTERS, left.characters));
  left.characters -= Math.min(text.length, left.characters);
  return { text };
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most).toWellFormed()}\n[Cut here: this is the beginning of ${text.length} characters.]`;
}

async function fetchContent(engine: EngineServices, file: InputFile, signal: AbortSignal): Promise<Uint8Array> {
  try {
    return await readContent(engine, file.blobKey, signal);
  } catch (error) {
    throw error instanceof BlobStoreError ? unreadableFile(engine, file.name, error) : error;
  }
}
