import { z } from "zod";
import type { LinkedFile } from "#domain/files/linked-file.ts";
import { nameOfType } from "#domain/files/media-type.ts";

/** A file in a message: its content, its URL, or the id of an upload. */
export type GivenFile =
  | { readonly name: string; readonly declared: string; readonly content: Uint8Array }
  | LinkedFile
  | { readonly fileId: string };

/** The content of a message. */
export interface GivenContent {
  readonly text: string;
  readonly files: readonly GivenFile[];
}

type Piece = { readonly text: string } | { readonly file: GivenFile };

const DATA_URL = /^data:([^;,]*)(?:;[^;,]+)*;base64,/i;
const LINK = /^https?:/i;
const NO_IMAGE = "must be an https URL, or a data: URL in base64";
const NO_FILE = "needs a file_id, a URL, or the content inline";
const NO_BASE64 = "must be base64";

const MAX_PARTS = 1_000;
const text = z.string();
const id = z.string().min(1).nullish();
const base64 = z.base64(NO_BASE64);

interface InlineData {
  readonly declared: string;
  readonly content: Uint8Array;
}

/** The content of a data URL, or of base64 without one; undefined for what is neither. */
function readInline(given: string): InlineData | undefined {
  const [head, declared = ""] = DATA_URL.exec(given) ?? [];
  const data = base64.safeParse(given.slice(head?.length ?? 0));
  return data.success ? { declared, content: Buffer.from(data.data, "base64") } : undefined;
}

const image = z.string().transform((given, context): InlineData | string => {
  if (LINK.test(given)) return given;
  const data = given.startsWith("data:") ? readInline(given) : undefined;
  if (data !== undefined) return data;
  context.addIssue({ code: "custom", message: DATA_URL.test(given) ? NO_BASE64 : NO_IMAGE });
  return z.NEVER;
});
const fileData = z
  .string()
  .transform((given, context): InlineData => {
    const data = readInline(given);
    if (data !== undefined) return data;
    context.addIssue({ code: "custom", message: NO_BASE64 });
    return z.NEVER;
  })
  .nullish();
const fileName = z.string().nullish();

/** The fields of a part with a file; a URL is a text in `data`. */
interface FileFields {
  readonly file_id?: string | null | undefined;
  readonly filename?: string | null | undefined;
  readonly data?: InlineData | string | null | undefined;
}

function toFile(field: "image_url" | "file_url") {
  return ({ file_id: fileId, filename, data }: FileFields, context: z.RefinementCtx): Piece => {
    if (fileId != null) return { file: { fileId } };
    if (typeof data === "string") {
      return { file: { url: data, name: filename ?? undefined, isImage: field === "image_url", field } };
    }
    if (data != null) return { file: { name: filename ?? nameOfType(data.declared), ...data } };
    context.addIssue({ code: "custom", message: NO_FILE });
    return z.NEVER;
  };
}

const toImage = toFile("image_url");
const toDocument = toFile("file_url");

const part = z.discriminatedUnion(
  "type",
  [
    z
      .object({ type: z.enum(["text", "input_text", "output_text"]), text })
      .transform((given): Piece => ({ text: given.text })),
    z.object({ type: z.literal("refusal"), refusal: text }).transform(({ refusal }): Piece => ({ text: refusal })),
    z
      .object({ type: z.literal("image_url"), image_url: z.object({ url: image }) })
      .transform(({ image_url: { url: data } }, context) => toImage({ data }, context)),
    z
      .object({ type: z.literal("input_image"), image_url: image.nullish(), file_id: id })
      .transform(({ image_url: data, file_id }, context) => toImage({ data, file_id }, context)),
    z
      .object({ type: z.literal("file"), file: z.object({ file_data: fileData, file_id: id, filename: fileName }) })
      .transform(({ file: { file_data: data, ...file } }, context) => toDocument({ data, ...file }, context)),
    z
      .object({
        type: z.literal("input_file"),
        file_data: fileData,
        file_url: z.string().nullish(),
        file_id: id,
        filename: fileName,
      })
      .transform(({ file_data, file_url, ...file }, context) =>
        toDocument({ data: file_data ?? file_url, ...file }, context),
      ),
  ],
  { error: "type must be text, image_url, file, input_text, input_image, input_file, output_text or refusal" },
);

/** The content of a message: a text, or parts. Texts are joined by line breaks. */
export const content = z
  .preprocess(
    (given) => {
      if (typeof given === "string") return [{ type: "text", text: given }];
      // Zod checks each part of a list that is too long.
      return Array.isArray(given) ? given.slice(0, MAX_PARTS + 1) : given;
    },
    z
      .array(part, { error: "must be a string or an array of parts" })
      .max(MAX_PARTS, { error: `must have at most ${MAX_PARTS} parts` }),
  )
  .transform((pieces): GivenContent => ({
    text: pieces.flatMap((piece) => ("text" in piece ? [piece.text] : [])).join("\n"),
    files: pieces.flatMap((piece) => ("file" in piece ? [piece.file] : [])),
  }));

/** The content of a message that cannot have files. */
export const textContent = content
  .refine(({ files }) => files.length === 0, { error: "must be a string or an array of text parts" })
  .transform((given) => given.text);
