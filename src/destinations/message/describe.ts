import type { Payload } from "#domain/destinations/payload.ts";
import { clip } from "./truncate.ts";

/** The code points of an error shown above a result: vendors limit both together. */
const MAX_ERROR = 500;
/** Message colours by outcome, as RGB: green for completed, red for failed. */
const COLORS = { completed: 0x2e_a0_43, failed: 0xd1_24_2f } as const;

/** A message's colour: green when completed, red when failed. */
export function colorOf({ status }: Payload): number {
  return status === "failed" ? COLORS.failed : COLORS.completed;
}

/** The title of created records: `[Service] <task title> — <status>`, on one line. */
export function itemTitle(serviceName: string, { task_title: title, status }: Payload): string {
  return oneLine(`[${serviceName}] ${title} — ${status}`);
}

/** What `agent_name` refers to: an agent, for a team run the team, for an audit entry a person. */
export function workerLabel({ event }: Payload): "Agent" | "Team" | "Person" {
  if (event === "audit.recorded") return "Person";
  return event.startsWith("team_run.") ? "Team" : "Agent";
}

/** Event, agent or team, status and time: the lines above a result. */
export function facts(payload: Payload): readonly (readonly [label: string, value: string])[] {
  return [
    ["Event", payload.event],
    [workerLabel(payload), payload.agent_name],
    ["Status", payload.status],
    ["Timestamp", payload.timestamp],
  ];
}

/** The body of created records: the facts, the error of a failure, and the result. */
export function itemBody(payload: Payload, result = payload.result_full): string {
  const lines = facts(payload).map(([label, value]) => `${label}: ${value}`);
  return [lines.join("\n"), ...errorOf(payload).map((error) => `Error: ${clip(error, MAX_ERROR)}`), result]
    .filter(Boolean)
    .join("\n\n");
}

/** The error of a failure, as a list of zero or one entries. */
export function errorOf({ error }: Payload): readonly string[] {
  return error === null || error === "" ? [] : [error];
}

/** A text with line breaks and repeated spaces collapsed. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
