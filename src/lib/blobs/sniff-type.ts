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
  return isText(content) ? "text" : "unknown";
}

/** Whether bytes are a text in UTF-8, without the control characters that no text has. */
export function isText(content: Uint8Array): boolean {
  try {
    return !NOT_TEXT.test(new TextDecoder("utf-8", { fatal: true }).decode(content));
  } catch {
    return false;
  }
}
