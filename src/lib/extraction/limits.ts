/** The limits of reading a file. */
export interface ExtractionLimits {
  /** The maximum pages of a PDF. */
  readonly pages: number;
  /** The maximum unpacked size of an archive, in bytes. */
  readonly unpackedBytes: number;
  /** The maximum characters of the text. */
  readonly characters: number;
  /** The maximum memory of the process, in bytes. */
  readonly memoryBytes: number;
  /** The maximum time, in milliseconds. */
  readonly timeoutMs: number;
}

/** Reasons of failure, worded for the uploader. */
export function issueOf(error: unknown): string {
  // A reader of one format can call another for embedded content.
  if (error instanceof RangeError && error.message.includes("call stack")) return "it is nested too deeply";
  return error instanceof Error ? error.message : String(error);
}

/** A file cannot be read; the message gives the reason, worded for the uploader. */
export class ExtractionError extends Error {
  override readonly name = "ExtractionError";
}
