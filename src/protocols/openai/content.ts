import { z } from "zod";
import { nameOfType } from "#domain/files/media-type.ts";

/** A file in a message: its content, or the id of an upload. */
export type GivenFile =
  | { readonly name: string; readonly declared: string; readonly content: Uint8Array }
  | { readonly fileId: string };

/** The content of a message. */
export interface GivenContent {
  readonly text: string;
  readonly files: readonly GivenFile[];
}

type Piece = { readonly text: string } | { readonly file: GivenFile };

const DATA_URL = /^data:([^;,]*)(?:;[^;,]+)*;base64,/i;
const NO_FETCH = "must be inline, as a data: URL in base64, or an upload by its file_id: URLs are not fetched";
const NO_FILE = "needs a file_id, or the content inline";

const text = z.string();
const id = z.string().min(1).nullish();
const base64 = z.base64("must be base64");
const notFetched = z.null({ error: NO_FETCH }).optional();

/** The content of a data URL; `bare` allows base64 without one. */
function inline({ bare }: { readonly bare: boolean }) {
  return z.string().transform((given, context) => {
    const [head, declared = ""] = DATA_URL.exec(given) ?? [];
    const data = base64.safeParse(given.slice(head?.length ?? 0));
    if ((head !== undefined || bare) && data.success) return { declared, content: Buffer.from(data.data, "base64") };
    context.addIssue({ code: "custom", message: head === undefined && !bare ? NO_FETCH : "must be base64" });
    return z.NEVER;
  });
}

const image = inline({ bare: false });
const fileData = inline({ bare: true }).nullish();
const fileName = z.string().nullish();

interface FileFields {
  readonly file_id?: string | null | undefined;
  readonly filename?: string | null | undefined;
  readonly data?: { readonly declared: string; readonly content: Uint8Array } | null | undefined;
}

function toFile({ file_id: fileId, filename, data }: FileFields, context: z.RefinementCtx): Piece {
  if (fileId != null) return { file: { fileId } };
  if (data != null) return { file: { name: filename ?? nameOfType(data.declared), ...data } };
  context.addIssue({ code: "custom", message: NO_FILE });
  return z.NEVER;
}

const part = z.discriminatedUnion(
  "type",
  [
    z
      .object({ type: z.enum(["text", "input_text", "output_text"]), text })
      .transform((given): Piece => ({ text: given.text })),
    z.object({ type: z.literal("refusal"), refusal: text }).transform(({ refusal }): Piece => ({ text: refusal })),
    z
      .object({ type: z.literal("image_url"), image_url: z.object({ url: image }) })
      .transform(({ image_url: { url: data } }, context) => toFile({ data }, context)),
    z
      .object({ type: z.literal("input_image"), image_url: image.nullish(), file_id: id })
      .transform(({ image_url: data, file_id }, context) => toFile({ data, file_id }, context)),
    z
      .object({ type: z.literal("file"), file: z.object({ file_data: fileData, file_id: id, filename: fileName }) })
      .transform(({ file: { file_data: data, ...file } }, context) => toFile({ data, ...file }, context)),
    z
      .object({
        type: z.literal("input_file"),
        file_data: fileData,
        file_url: notFetched,
        file_id: id,
        filename: fileName,
      })
      .transform(({ file_data: data, ...file }, context) => toFile({ data, ...file }, context)),
  ],
  { error: "type must be text, image_url, file, input_text, input_image, input_file, output_text or refusal" },
);

/** The content of a message: a text, or parts. Texts are joined by line breaks. */
export const content = z
  .preprocess(
    (given) => (typeof given === "string" ? [{ type: "text", text: given }] : given),
    z.array(part, { error: "must be a string or an array of parts" }),
  )
  .transform((pieces): GivenContent => ({
    text: pieces.flatMap((piece) => ("text" in piece ? [piece.text] : [])).join("\n"),
    files: pieces.flatMap((piece) => ("file" in piece ? [piece.file] : [])),
  }));

/** The content of a message that cannot have files. */
export const textContent = content
  .refine(({ files }) => files.length === 0, { error: "must be a string or an array of text parts" })
  .transform((given) => given.text);
