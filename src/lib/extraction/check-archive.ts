import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { fromBufferPromise } from "yauzl";
import type { ZipFile } from "yauzl";
import { ExtractionError } from "./limits.ts";

const MAX_ENTRIES = 10_000;
const MIB = 1024 * 1024;

/**
 * Checks that an archive unpacks to at most this many bytes: first by its directory, then by unpacking, since the
 * directory can be wrong.
 * @throws ExtractionError for an archive that is too large or broken
 */
export async function checkArchive(content: Buffer, most: number): Promise<void> {
  let zip: ZipFile;
  try {
    zip = await fromBufferPromise(content, { validateEntrySizes: true });
  } catch (cause) {
    throw invalidArchive(cause);
  }
  if (zip.entryCount > MAX_ENTRIES) throw new ExtractionError(`It holds more than ${MAX_ENTRIES} files.`);
  let said = 0;
  let unpacked = 0;
  try {
    for await (const entry of zip.eachEntry()) {
      said += entry.uncompressedSize;
      if (said > most) throw tooLarge(most);
      const counter = new Writable({
        write(chunk: Buffer, _encoding, done) {
          unpacked += chunk.length;
          done(unpacked > most ? tooLarge(most) : null);
        },
      });
      await pipeline(await zip.openReadStreamPromise(entry), counter);
    }
  } catch (error) {
    throw error instanceof ExtractionError ? error : invalidArchive(error);
  }
}

function tooLarge(most: number): ExtractionError {
  return new ExtractionError(`It unpacks to more than ${Math.floor(most / MIB)} MiB.`);
}

function invalidArchive(cause: unknown): ExtractionError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ExtractionError(`It is a broken archive: ${reason}`, { cause });
}
