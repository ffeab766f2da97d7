/** One message of a stream of server-sent events. */
export interface SseEvent {
  /** The id to send as `Last-Event-ID` to go on behind this event; "" when the stream gave none so far. */
  readonly id: string;
  /** The data lines, joined by line feeds. */
  readonly data: string;
}

/**
 * Reads `text/event-stream` (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream)
 * from bytes in pieces of any size. An event that the stream breaks off is not given. Event names and
 * `retry` are not used by our streams and are left out.
 */
export async function* readSse(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<SseEvent> {
  let id = "";
  let data: string[] = [];
  for await (const line of readLines(bytes)) {
    if (line === "") {
      if (data.length > 0) yield { id, data: data.join("\n") };
      data = [];
      continue;
    }
    const { field, value } = splitField(line);
    if (field === "data") data.push(value);
    if (field === "id" && !value.includes("\0")) id = value;
  }
}

/** Lines that end with LF, CR or CRLF; what follows the last of these is dropped. */
async function* readLines(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  let skipLineFeed = false;
  for await (const piece of bytes) {
    let text = decoder.decode(piece, { stream: true });
    if (text === "") continue;
    // The CR that ended the last piece's line was the first half of a CRLF.
    if (skipLineFeed && text.startsWith("\n")) text = text.slice(1);
    skipLineFeed = text === "" ? false : text.endsWith("\r");
    const lines = (rest + text).split(/\r\n|\r|\n/);
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

/** A comment, a line that begins with a colon, is a field without a name. */
function splitField(line: string): { readonly field: string; readonly value: string } {
  const colon = line.indexOf(":");
  if (colon === -1) return { field: line, value: "" };
  return { field: line.slice(0, colon), value: line.slice(colon + 1).replace(/^ /, "") };
}
