/**
 * One message of PostgreSQL's protocol 3.0, with its bytes.
 * https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
export interface WireMessage {
  /** The letter of its type; empty for the first message of a client, which has none. */
  readonly type: string;
  readonly bytes: Buffer;
}

/** Divides what arrives into messages; an unfinished one waits for its rest. */
export interface MessageSplitter {
  push(chunk: Buffer): readonly WireMessage[];
}

const TYPE_BYTES = 1;
const LENGTH_BYTES = 4;

/** @param first whether the first message has no type: true for what a client sends */
export function splitMessages(first: "startup" | "typed"): MessageSplitter {
  let rest: Buffer = Buffer.alloc(0);
  let isStartup = first === "startup";
  return {
    push(chunk) {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const messages: WireMessage[] = [];
      for (;;) {
        const head = isStartup ? 0 : TYPE_BYTES;
        if (rest.length < head + LENGTH_BYTES) return messages;
        const end = head + rest.readInt32BE(head);
        if (rest.length < end) return messages;
        messages.push({ type: rest.toString("latin1", 0, head), bytes: rest.subarray(0, end) });
        rest = rest.subarray(end);
        isStartup = false;
      }
    },
  };
}

/** The name and the text of the statement that a `Parse` message prepares. */
export function readParse({ bytes }: WireMessage): { readonly name: string; readonly text: string } {
  const [name, next] = readText(bytes, TYPE_BYTES + LENGTH_BYTES);
  return { name, text: readText(bytes, next)[0] };
}

/** The name of the statement that a `Bind` message executes. */
export function readBind({ bytes }: WireMessage): string {
  const [, next] = readText(bytes, TYPE_BYTES + LENGTH_BYTES);
  return readText(bytes, next)[0];
}

/** Reads a text up to its zero byte. */
function readText(bytes: Buffer, from: number): readonly [text: string, next: number] {
  const end = bytes.indexOf(0, from);
  return [bytes.toString("utf8", from, end), end + 1];
}
