import type { LinkedFile } from "./linked-file.ts";

/** An uploaded file. */
export interface Upload {
  readonly name: string;
  /** The media type that the sender declares; empty for none. */
  readonly declared: string;
  readonly content: Uint8Array;
}

/** A file that a request contains, or names by its URL. */
export type SentFile = Upload | LinkedFile;
