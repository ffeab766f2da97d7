import { fileTypeFromBuffer } from "file-type";

/** Control characters that no text has, but for tab, line feed, form feed, carriage return and escape. */
// oxlint-disable-next-line no-control-regex -- that is what it looks for
const NOT_TEXT = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/;

/**
 * What a content is, judged by its bytes alone: the media type that they show, `text` for text in UTF-8, or
 * `unknown`.
 */
export async function sniffType(content: Uint8Array): Promise<{ readonly type: string } | "text" | "unknown"> {
  const found = await fileTypeFromBuffer(content);
  if (found !== undefined) return { type: found.mime };
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(content);
    return NOT_TEXT.test(text) ? "unknown" : "text";
  } catch {
    return "unknown";
  }
}
