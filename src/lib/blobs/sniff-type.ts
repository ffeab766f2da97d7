/** Control characters that do not occur in text: all but tab, line feed, form feed, carriage return and escape. */
// oxlint-disable-next-line no-control-regex -- that is what it looks for
const NOT_TEXT = /[\u0000-\u0008\u000b\u000e-\u001a\u001c-\u001f]/;

/** The type of a content, detected from its bytes alone: a media type, `text` for UTF-8 text, or `unknown`. */
export async function sniffType(content: Uint8Array): Promise<{ readonly type: string } | "text" | "unknown"> {
  const { fileTypeFromBuffer } = await import("file-type");
  const found = await fileTypeFromBuffer(content);
  if (found !== undefined) return { type: found.mime };
  return isText(content) ? "text" : "unknown";
}

/** Whether bytes are UTF-8 text without binary control characters. */
export function isText(content: Uint8Array): boolean {
  try {
    return !NOT_TEXT.test(new TextDecoder("utf-8", { fatal: true }).decode(content));
  } catch {
    return false;
  }
}
