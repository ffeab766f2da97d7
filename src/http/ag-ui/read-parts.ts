import { z } from "zod";
import { AppError } from "#domain/errors.ts";
import { nameOfType } from "#domain/files/media-type.ts";
import type { Upload } from "#operations/files/files.ts";

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
  filename: z.string().optional(),
});

/**
 * Reads the inline files in the parts of a message.
 * @throws AppError `bad_request` for parts that only reference their content, since nothing is fetched, and for invalid
 * parts.
 */
export function readFileParts(parts: readonly { readonly type: string }[]): Upload[] {
  return parts.filter(({ type }) => type !== "text").map(readPart);
}

function readPart(part: { readonly type: string }): Upload {
  const binary = binaryPart.safeParse(part);
  if (binary.success) {
    const { data, mimeType, filename } = binary.data;
    return upload(data, { mimeType, filename });
  }
  const media = mediaPart.safeParse(part);
  if (!media.success) {
    throw new AppError("bad_request", `A part of the type "${part.type}" is not supported; send text or inline data.`);
  }
  const { source, metadata } = media.data;
  return upload(source.type === "data" ? source.value : undefined, {
    mimeType: source.mimeType ?? "",
    filename: metadata?.filename,
  });
}

function upload(
  data: string | undefined,
  { mimeType, filename }: { readonly mimeType: string; readonly filename: string | undefined },
): Upload {
  if (data === undefined || !inline.safeParse(data).success) {
    throw new AppError("bad_request", "Files must be inline, as base64: URLs and handles are not fetched.");
  }
  return { name: filename ?? nameOfType(mimeType), declared: mimeType, content: Buffer.from(data, "base64") };
}
