import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import { nameOfType } from "#domain/files/media-type.ts";
import type { SentFile } from "#domain/files/sent-file.ts";

/** Media parts as AG-UI 1.0 sends them, and the single part type of earlier clients. */
const MEDIA = ["image", "document", "audio", "video"] as const;

const inline = z.base64("must be base64");
const mediaPart = z.looseObject({
  type: z.enum(MEDIA),
  source: z.looseObject({ type: z.string(), value: z.string(), mimeType: z.string().optional() }),
  metadata: z.looseObject({ filename: z.string().optional() }).optional().catch(undefined),
});
const binaryPart = z.looseObject({
  type: z.literal("binary"),
  mimeType: z.string(),
  data: z.string().optional(),
  url: z.string().optional(),
  filename: z.string().optional(),
});

/**
 * Reads the files in the parts of a message.
 * @throws AppError `bad_request` for parts with neither content nor URL, and for invalid parts.
 */
export function readFileParts(parts: readonly { readonly type: string }[]): SentFile[] {
  return parts.filter(({ type }) => type !== "text").map(readPart);
}

function readPart(part: { readonly type: string }): SentFile {
  const binary = binaryPart.safeParse(part);
  if (binary.success) return sentFile(binary.data);
  const media = mediaPart.safeParse(part);
  if (!media.success) {
    throw new AppError("bad_request", `A part of the type "${part.type}" is not supported; send text or a file.`);
  }
  const { type, source, metadata } = media.data;
  const file = { mimeType: source.mimeType ?? "", filename: metadata?.filename, isImage: type === "image" };
  if (source.type === "url") return sentFile({ ...file, url: source.value });
  return sentFile({ ...file, data: source.type === "data" ? source.value : undefined });
}

interface FilePart {
  readonly mimeType: string;
  readonly filename?: string | undefined;
  readonly data?: string | undefined;
  readonly url?: string | undefined;
  readonly isImage?: boolean;
}

function sentFile({ mimeType, filename, data, url, isImage = mimeType.startsWith("image/") }: FilePart): SentFile {
  if (data !== undefined && inline.safeParse(data).success) {
    return { name: filename ?? nameOfType(mimeType), declared: mimeType, content: Buffer.from(data, "base64") };
  }
  if (data === undefined && url !== undefined) return { url, name: filename, isImage, field: "url" };
  throw new AppError("bad_request", "A file needs its content as base64, or an https URL; handles are not supported.");
}
