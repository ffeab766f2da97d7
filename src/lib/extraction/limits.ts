/** How much of a file is read, and what that may cost. */
export interface ExtractionLimits {
  /** Pages of a PDF. */
  readonly pages: number;
  /** Bytes of an archive's contents, unpacked. */
  readonly unpackedBytes: number;
  /** Characters of the text. */
  readonly characters: number;
  /** Memory of the process that reads it, in bytes. */
  readonly memoryBytes: number;
  /** How long that may take, in milliseconds. */
  readonly timeoutMs: number;
}

/** Why a reader failed, in words for the person who gave the file. */
export function issueOf(error: unknown): string {
  // Readers call themselves for what is in something else.
  if (error instanceof RangeError && error.message.includes("call stack")) return "it is nested too deeply";
  return error instanceof Error ? error.message : String(error);
}

/** A file cannot be read; the message says why, in words for the person who gave it. */
export class ExtractionError extends Error {
  override readonly name = "ExtractionError";
}
