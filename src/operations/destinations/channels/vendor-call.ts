/** A vendor's request to a route. */
export interface VendorCall {
  readonly body: Buffer;
  /** Reads a header; empty when there is none. */
  header(name: string): string;
  readonly now: Date;
}

/** What the vendor gets: JSON, or nothing. */
export type VendorReply = object | undefined;
