// Archives in the format ustar, which every `tar` reads.

const BLOCK = 512;
const MAX_NAME = 100;
/** The fields of a header: where they begin, and their lengths. */
const FIELD = {
  name: [0, MAX_NAME],
  mode: [100, 8],
  size: [124, 12],
  modified: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 8],
} as const satisfies Readonly<Record<string, readonly [at: number, length: number]>>;

/** A file of an archive. */
export interface TarEntry {
  readonly name: string;
  readonly content: Buffer;
}

/** The bytes are not those of an archive; the message says how. */
export class TarError extends Error {
  override readonly name = "TarError";
}

/** The end of every archive. */
export const TAR_END = Buffer.alloc(2 * BLOCK);

/** Returns the bytes of one file; an archive is all its files and {@link TAR_END}. */
export function* tarEntry({ name, content }: TarEntry): Generator<Buffer> {
  if (Buffer.byteLength(name) > MAX_NAME) throw new TarError(`The name ${name} is too long for an archive.`);
  const header = Buffer.alloc(BLOCK);
  const put = ([at]: readonly [number, number], text: string) => void header.write(text, at, "utf8");
  put(FIELD.name, name);
  put(FIELD.mode, "0000600\0");
  put(FIELD.size, `${octal(content.length, 11)} `);
  put(FIELD.modified, `${octal(0, 11)} `);
  put(FIELD.type, "0");
  put(FIELD.magic, "ustar\u000000");
  put(FIELD.checksum, `${octal(checksumOf(header), 6)}\0 `);
  yield header;
  yield content;
  yield Buffer.alloc(paddingOf(content.length));
}

/**
 * Reads the files of an archive, one after the other; each is in memory as a whole.
 * @throws TarError for bytes that are no archive, or that end before the archive does
 */
export async function* readTar(bytes: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const source = createSource(bytes);
  try {
    for (;;) {
      const header = await source.take(BLOCK);
      if (header.every((byte) => byte === 0)) break;
      if (Number.parseInt(fieldOf(header, "checksum"), 8) !== checksumOf(header)) {
        throw new TarError("A header of the archive is damaged.");
      }
      const size = Number.parseInt(fieldOf(header, "size"), 8);
      const content = await source.take(size);
      await source.take(paddingOf(size));
      yield { name: fieldOf(header, "name"), content };
    }
    await source.drain();
  } finally {
    await source.close();
  }
}

/** Gives bytes in the lengths that a reader asks for. */
function createSource(bytes: AsyncIterable<Buffer>) {
  const chunks = bytes[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  return {
    /** Reads to the end of the bytes, where a compressed source checks itself. */
    async drain(): Promise<void> {
      while ((await chunks.next()).done !== true);
    },
    async close(): Promise<void> {
      await chunks.return?.();
    },
    async take(length: number): Promise<Buffer> {
      const parts: Buffer[] = [];
      for (let missing = length; missing > 0;) {
        if (rest.length === 0) {
          const next = await chunks.next();
          if (next.done === true) throw new TarError("The archive ends early.");
          rest = next.value;
        }
        const part = rest.subarray(0, missing);
        parts.push(part);
        rest = rest.subarray(part.length);
        missing -= part.length;
      }
      return parts.length === 1 ? (parts[0] ?? rest) : Buffer.concat(parts, length);
    },
  };
}

function fieldOf(header: Buffer, field: keyof typeof FIELD): string {
  const [at, length] = FIELD[field];
  return header
    .toString("utf8", at, at + length)
    .replace(/\0.*$/s, "")
    .trim();
}

/** The sum of a header's bytes, with its checksum as spaces. */
function checksumOf(header: Buffer): number {
  const [at, length] = FIELD.checksum;
  return header.reduce((sum, byte, index) => sum + (index >= at && index < at + length ? 32 : byte), 0);
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}

function paddingOf(length: number): number {
  return (BLOCK - (length % BLOCK)) % BLOCK;
}
