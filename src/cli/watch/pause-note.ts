import { z } from "zod";
import type { StreamEvent } from "#client/index.ts";
import { formatDuration } from "../terminal/format.ts";
import { safeText } from "../terminal/safe-text.ts";

const retry = z.object({ try: z.number(), of: z.number(), message: z.string(), retry_in_ms: z.number() });
const wait = z.object({ message: z.string() });

/**
 * Describes an event that says why a model call pauses, for another try, a budget or a rate limit, or that older turns
 * were summarised; else undefined.
 */
export function pauseNote(event: StreamEvent): string | undefined {
  if (event.type !== "CUSTOM") return undefined;
  if (event.name === "budget_wait") return budgetNote(event.value);
  if (event.name === "model_wait") return limitNote(event.value);
  if (event.name === "turns_summarized") return messageNote(event.value);
  return event.name === "model_retry" ? retryNote(event.value) : undefined;
}

function messageNote(value: unknown): string | undefined {
  const { data } = wait.safeParse(value);
  return data && safeText(data.message);
}

function budgetNote(value: unknown): string | undefined {
  const message = messageNote(value);
  return message && `Waiting for a budget: ${message}`;
}

function limitNote(value: unknown): string | undefined {
  const message = messageNote(value);
  return message && `Waiting for a rate limit: ${message}`;
}

function retryNote(value: unknown): string | undefined {
  const { data } = retry.safeParse(value);
  if (data === undefined) return undefined;
  const pause = formatDuration(data.retry_in_ms);
  return `↻ ${safeText(data.message)} · try ${data.try} of ${data.of} in ${pause}`;
}
