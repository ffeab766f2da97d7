import { z } from "zod";
import { FINAL_EVENT_TYPES } from "#domain/streams/stream-event.ts";

const FINAL: readonly string[] = FINAL_EVENT_TYPES;

/**
 * An event of the stream of a watched task or run; types and
 * fields that this program does not know are kept.
 */
export const watchEvent = z.looseObject({
  type: z.string(),
  /** In whole Unix seconds. */
  timestamp: z.number().optional(),
  /** The task or the run. */
  threadId: z.string().optional(),
  stepName: z.string().optional(),
  /** Of a step that has ended well. */
  tokensUsed: z.number().optional(),
  costUsd: z.number().optional(),
  /** A piece of text, or of a tool call's arguments. */
  delta: z.string().optional(),
  toolCallId: z.string().optional(),
  toolCallName: z.string().optional(),
  /** Of the run, or of a tool call. */
  result: z.string().nullish(),
  /** Of a tool call that failed. */
  isError: z.boolean().optional(),
  /** Why the run failed. */
  message: z.string().optional(),
  status: z.string().optional(),
});

/** An event of a watched task or run. */
export type WatchEvent = z.output<typeof watchEvent>;

/** Whether nothing follows this event. */
export function isFinal({ type }: WatchEvent): boolean {
  return FINAL.includes(type);
}
