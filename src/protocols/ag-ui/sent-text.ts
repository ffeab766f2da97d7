import { createHash } from "node:crypto";
import { z } from "zod";

/** A result up to this size is repeated: many screens read it from the end of the run. */
const MAX_REPEATED_BYTES = 65_536;

const piece = z.looseObject({ type: z.literal("TEXT_MESSAGE_CONTENT"), delta: z.string() });

/** Recognizes a long result that a stream has sent as its last message. */
export interface SentText {
  /** Notes an event of the stream. */
  note(event: { readonly type: string }): void;
  /** Whether a result is longer than 64 KiB, and the text of the last message. */
  hasSent(result: unknown): boolean;
}

/** Creates the memory of one stream: a hash, because a message may have many megabytes. */
export function createSentText(): SentText {
  let hash = createHash("sha256");
  return {
    note(event) {
      if (event.type === "TEXT_MESSAGE_START") hash = createHash("sha256");
      const content = piece.safeParse(event);
      if (content.success) hash.update(content.data.delta);
    },
    hasSent(result) {
      if (typeof result !== "string" || Buffer.byteLength(result) <= MAX_REPEATED_BYTES) return false;
      return createHash("sha256").update(result).digest().equals(hash.copy().digest());
    },
  };
}
