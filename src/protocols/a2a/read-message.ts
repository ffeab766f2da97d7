import { z } from "zod";
import { nameOfType } from "#domain/files/media-type.ts";
import type { Answer } from "#domain/tasks/answer.ts";
import { RpcError } from "./json-rpc.ts";
import type { SentFile } from "#domain/files/sent-file.ts";

/** The maximum length of a message, in characters. */
const MAX_TEXT = 100_000;
const MAX_PARTS = 100;

const base64 = z.base64("must be base64");
const optionalText = z.string().nullish();

const file = z.looseObject({
  name: optionalText,
  mimeType: optionalText,
  mediaType: optionalText,
  bytes: base64.nullish(),
  fileWithBytes: base64.nullish(),
  uri: optionalText,
  fileWithUri: optionalText,
});

// The parts of both versions have different fields, so `kind` is not needed to distinguish them.
const part = z.union(
  [
    z.looseObject({ text: z.string() }).transform(({ text }) => ({ text })),
    z
      .looseObject({ file })
      .transform(({ file: { name, mimeType, mediaType, bytes, fileWithBytes, uri, fileWithUri } }) => ({
        file: { name, type: mimeType ?? mediaType, base64: bytes ?? fileWithBytes, url: uri ?? fileWithUri },
      })),
    z
      .looseObject({ raw: base64, filename: optionalText, mediaType: optionalText })
      .transform(({ raw, filename, mediaType }) => ({
        file: { name: filename, type: mediaType, base64: raw, url: null },
      })),
    z
      .looseObject({ url: z.string(), filename: optionalText, mediaType: optionalText })
      .transform(({ url, filename, mediaType }) => ({
        file: { name: filename, type: mediaType, base64: null, url },
      })),
    z.looseObject({ data: z.unknown().refine((data) => data !== undefined) }).transform(({ data }) => ({ data })),
  ],
  "must have text, data, or a file in base64",
);

/** A part as {@link clientMessage} reads it. */
type ReadPart = z.output<typeof part>;

/** A message from a client in the format of either version; role and messageId are optional. */
export const clientMessage = z.looseObject({
  messageId: z.string().max(200).nullish(),
  contextId: z.string().max(200).nullish(),
  taskId: z.string().max(255).nullish(),
  role: z.enum(["user", "ROLE_USER"], "must be user, or ROLE_USER in 1.0").nullish(),
  parts: z.array(part, "must be a list of parts with text, data or a file").min(1, "must not be empty").max(MAX_PARTS),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});

/** The content of a message's parts. */
export interface MessageContent {
  /** The texts, and data as JSON, separated by empty lines. */
  readonly text: string;
  readonly files: readonly SentFile[];
  /** The data, if there is exactly one such part and it is an object: the fields of an answer. */
  readonly answer: Answer | undefined;
}

/** Reads the parts of a message. @throws RpcError for a file without content or URL, and for a text that is too long. */
export function contentOf(parts: readonly ReadPart[]): MessageContent {
  const text = parts.flatMap(textOf).join("\n\n");
  if (text.length > MAX_TEXT) {
    throw new RpcError("invalidParams", `The texts and data of a message have at most ${MAX_TEXT} characters.`);
  }
  return { text, files: parts.flatMap(filesOf), answer: answerIn(parts) };
}

function textOf(one: ReadPart): string[] {
  if ("text" in one) return one.text === "" ? [] : [one.text];
  return "data" in one ? [JSON.stringify(one.data, undefined, 2)] : [];
}

function filesOf(one: ReadPart): SentFile[] {
  if (!("file" in one)) return [];
  const { name, type, base64: content, url } = one.file;
  const declared = type ?? "";
  if (content != null) {
    return [{ name: name ?? nameOfType(declared), declared, content: Buffer.from(content, "base64") }];
  }
  if (url == null) throw new RpcError("invalidParams", "A file needs its content as base64, or an https URL.");
  return [{ url, name: name ?? undefined, isImage: declared.startsWith("image/"), field: "url" }];
}

const fields = z.record(z.string(), z.unknown());

function answerIn(parts: readonly ReadPart[]): Answer | undefined {
  const data = parts.flatMap((one) => ("data" in one ? [one.data] : []));
  return data.length === 1 ? fields.safeParse(data[0]).data : undefined;
}
