import { z } from "zod";
import { readCursor, writeCursor } from "#operations/list-cursor.ts";

/** How many questions a call remembers that its client leaves to others. */
export const MAX_OPEN = 100;

/**
 * Where a call with several rounds goes on. Clients send it back unchanged. It gives no rights: the task must be one
 * that the same key started, and a changed place only repeats or leaves out progress.
 */
const callState = z.strictObject({
  taskId: z.uuid(),
  /** The key of the question that the client was asked: each round has a state of its own. */
  asked: z.string().max(300),
  /** The last event that the client has been told of. */
  lastSeen: z.int().nonnegative().optional(),
  /** The keys of the questions that the client leaves to others. */
  open: z.array(z.string().max(300)).max(MAX_OPEN),
});

/** See {@link callState}. */
export type CallState = z.output<typeof callState>;

/** Encodes the state of a call. */
export function writeCallState(state: CallState): string {
  return writeCursor(callState, state);
}

/** Decodes the text of {@link writeCallState}; undefined for any other text. */
export function readCallState(text: string): CallState | undefined {
  return readCursor(text, callState);
}
