/** As in `<meta charset>`, and in the declaration of XHTML. */
const CHARSET = /(?:charset|encoding)\s*=[\s"']*([\w:-]+)/i;
/** A page declares its charset near its beginning (https://html.spec.whatwg.org/#determining-the-character-encoding). */
const SNIFFED_BYTES = 1_024;
const MARKS = [
  { bytes: [0xff, 0xfe], charset: "utf-16le" },
  { bytes: [0xfe, 0xff], charset: "utf-16be" },
] as const;

/** Decodes a page by its charset, or as UTF-8 without one; invalid bytes become U+FFFD. See {@link charsetOf}. */
export function decodeMarkup(content: Uint8Array, contentType = ""): string {
  return new TextDecoder(charsetOf(content, contentType) ?? "utf-8").decode(content);
}

/**
 * The charset of a page: that of its byte order mark, of its header, or the one that it declares itself; undefined
 * without any that is known. @param contentType the header, if it was received with one
 */
export function charsetOf(content: Uint8Array, contentType = ""): string | undefined {
  const beginning = Buffer.from(content.subarray(0, SNIFFED_BYTES)).toString("latin1");
  const marked = MARKS.find(({ bytes }) => bytes.every((byte, index) => content[index] === byte))?.charset;
  return marked ?? [CHARSET.exec(contentType)?.[1], CHARSET.exec(beginning)?.[1]].find(isCharset);
}

function isCharset(label: string | undefined): label is string {
  try {
    return label !== undefined && new TextDecoder(label).encoding !== "";
  } catch {
    return false;
  }
}
