import { crc32 } from "node:zlib";

/** The media type of a stream of frames. */
export const FRAMES = "application/vnd.amazon.eventstream";

const TEXT = 7;
const PRELUDE = 8;
const CHECKSUM = 4;

/** A frame of Amazon's event streams: https://docs.aws.amazon.com/AmazonS3/latest/API/RESTSelectObjectAppendix.html */
export function frameOf(headers: Readonly<Record<string, string>>, payload: string): Uint8Array {
  const head = Buffer.concat(Object.entries(headers).map(([name, value]) => headerOf(name, value)));
  const body = Buffer.from(payload);
  const prelude = Buffer.alloc(PRELUDE);
  prelude.writeUInt32BE(PRELUDE + CHECKSUM + head.length + body.length + CHECKSUM, 0);
  prelude.writeUInt32BE(head.length, 4);
  const message = Buffer.concat([prelude, checksumOf(prelude), head, body]);
  return Buffer.concat([message, checksumOf(message)]);
}

/** An event of the Converse API. */
export function eventFrame(type: string, payload: object): Uint8Array {
  return frameOf({ ":message-type": "event", ":event-type": type }, JSON.stringify(payload));
}

/** An error inside a stream. */
export function exceptionFrame(type: string, payload: object): Uint8Array {
  return frameOf({ ":message-type": "exception", ":exception-type": type }, JSON.stringify(payload));
}

function headerOf(name: string, value: string): Uint8Array {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.byteLength(value));
  return Buffer.concat([
    Buffer.from([name.length]),
    Buffer.from(name),
    Buffer.from([TEXT]),
    length,
    Buffer.from(value),
  ]);
}

function checksumOf(bytes: Uint8Array): Uint8Array {
  const sum = Buffer.alloc(CHECKSUM);
  sum.writeUInt32BE(crc32(bytes));
  return sum;
}
