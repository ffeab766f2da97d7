import { z } from "zod";
import type { StreamEvent } from "#client/index.ts";
import { formatDuration } from "../terminal/format.ts";
import { safeText } from "../terminal/safe-text.ts";

const retry = z.object({ try: z.number(), of: z.number(), message: z.string(), retry_in_ms: z.number() });

/** Describes an event that announces another try of a failed model call; undefined for any other event. */
export function retryNote(event: StreamEvent): string | undefined {
  if (event.type !== "CUSTOM" || event.name !== "model_retry") return undefined;
  const { data } = retry.safeParse(event.value);
  if (data === undefined) return undefined;
  const pause = formatDuration(data.retry_in_ms);
  return `↻ ${safeText(data.message)} · try ${data.try} of ${data.of} in ${pause}`;
}
