import { z } from "zod";
import { FINAL_EVENT_TYPES } from "#domain/stream-event.ts";

const FINAL: readonly string[] = FINAL_EVENT_TYPES;

/**
 * An event of a watched task: one of the service's stream, or a `TASK_STATUS` of a client that
 * looks from time to time. Types and fields that this program does not know are kept.
 */
export const watchEvent = z.looseObject({
  type: z.string(),
  /** The task. */
  threadId: z.string().optional(),
  /** A piece of text, or of a tool call's arguments. */
  delta: z.string().optional(),
  toolCallId: z.string().optional(),
  toolCallName: z.string().optional(),
  /** Of the run, or of a tool call. */
  result: z.string().nullish(),
  /** Why the run failed. */
  message: z.string().optional(),
  status: z.string().optional(),
});

/** An event of a watched task. */
export type WatchEvent = z.output<typeof watchEvent>;

/** Whether nothing follows this event. */
export function isFinal({ type }: WatchEvent): boolean {
  return FINAL.includes(type);
}
