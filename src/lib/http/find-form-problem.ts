const BOUNDARY = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i;
/** More than any form of this service has. */
const MAX_PARTS = 100;
/** The same limit as Node has for the headers of a request. */
const MAX_HEADER_BYTES = 16_384;

/**
 * Says what makes a multipart form too expensive to parse; undefined for any other. A parser takes ten microseconds for
 * each part and a tenth of one for each byte of a header, and blocks the thread.
 */
export function findFormProblem(body: Uint8Array, contentType: string): string | undefined {
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  // The parser rejects the form.
  if (boundary === undefined) return undefined;
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  let parts = 0;
  for (let at = bytes.indexOf(delimiter.subarray(2)); at !== -1; at = bytes.indexOf(delimiter, at + 1)) {
    parts += 1;
    if (parts > MAX_PARTS) return `must not have more than ${MAX_PARTS} fields`;
    const head = bytes.subarray(at, at + delimiter.length + MAX_HEADER_BYTES);
    const isCut = head.length === delimiter.length + MAX_HEADER_BYTES;
    if (isCut && !head.includes("\r\n\r\n"))
      return `must not have a part with more than ${MAX_HEADER_BYTES} bytes of headers`;
  }
  return undefined;
}
