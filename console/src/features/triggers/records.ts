import type { components } from "#client/gen/schema.ts";

/** A trigger. */
export type Trigger = components["schemas"]["Trigger"];
/** A trigger with its URL, as it is shown once. */
export type ShownTrigger = components["schemas"]["ShownTrigger"];
/** What was delivered to a trigger. */
export type TriggerDelivery = components["schemas"]["TriggerDelivery"];

const SAMPLE = { event: "order.returned", order: 4711 } as const;

/** The line that delivers a sample. @param url the trigger's, or a placeholder */
export function curlLine(url: string): string {
  return `curl -s -X POST "${url}" \\\n  -H "Content-Type: application/json" \\\n  -d '${JSON.stringify(SAMPLE)}'`;
}
