import { crc32 } from "node:zlib";

const SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
const HEADER_LENGTH = 8;

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/** A picture and how long it is shown. */
export interface Frame {
  readonly png: Buffer;
  readonly milliseconds: number;
}

/**
 * Puts PNG images of one size and colour type together as an animated PNG, which loops
 * (https://www.w3.org/TR/png-3/#apng-frame-based-animation).
 */
export function animatedPng(frames: readonly Frame[]): Buffer {
  const [first] = frames;
  if (first === undefined) throw new Error("An animation needs a frame.");
  const header = chunksOf(first.png).find(({ type }) => type === "IHDR");
  if (header === undefined) throw new Error("The first frame is no PNG.");
  let sequence = 0;
  const parts = frames.flatMap(({ png, milliseconds }, index) => {
    const control = frameControl(header.data.subarray(0, 8), sequence++, milliseconds);
    const images = chunksOf(png).filter(({ type }) => type === "IDAT");
    const data = images.map((chunk) => {
      if (index === 0) return encode(chunk);
      return encode({ type: "fdAT", data: Buffer.concat([uint32(sequence++), chunk.data]) });
    });
    return [encode({ type: "fcTL", data: control }), ...data];
  });
  const animation = { type: "acTL", data: Buffer.concat([uint32(frames.length), uint32(0)]) };
  return Buffer.concat([
    SIGNATURE,
    encode(header),
    encode(animation),
    ...parts,
    encode({ type: "IEND", data: Buffer.alloc(0) }),
  ]);
}

function chunksOf(png: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at < png.length;) {
    const length = png.readUInt32BE(at);
    const begin = at + HEADER_LENGTH;
    chunks.push({ type: png.toString("latin1", at + 4, begin), data: png.subarray(begin, begin + length) });
    at = begin + length + 4;
  }
  return chunks;
}

/** The part of the image that a frame replaces (all of it), its duration, and that it replaces without blending. */
function frameControl(size: Buffer, sequence: number, milliseconds: number): Buffer {
  const time = Buffer.alloc(6);
  time.writeUInt16BE(milliseconds, 0);
  time.writeUInt16BE(1_000, 2);
  return Buffer.concat([uint32(sequence), size, uint32(0), uint32(0), time]);
}

function encode({ type, data }: Chunk): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  return Buffer.concat([uint32(data.length), named, uint32(crc32(named))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}
