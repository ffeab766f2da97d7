import type { Payload } from "#domain/destinations/payload.ts";
import { clip } from "./truncate.ts";

/** Code points of an error above a result: vendors limit the two together. */
const MAX_ERROR = 500;
/** Colours of messages by outcome, as RGB: green for completed, red for failed. */
const COLORS = { completed: 0x2e_a0_43, failed: 0xd1_24_2f } as const;

/** The colour of a message: green when completed, red when failed. */
export function colorOf({ status }: Payload): number {
  return status === "failed" ? COLORS.failed : COLORS.completed;
}

/** The name of what is created elsewhere: `[Service] <task title> — <status>`, on one line. */
export function itemTitle(serviceName: string, { task_title: title, status }: Payload): string {
  return oneLine(`[${serviceName}] ${title} — ${status}`);
}

/** What `agent_name` names: an agent, or for a team run the team. */
export function workerLabel({ event }: Payload): "Agent" | "Team" {
  return event.startsWith("team_run.") ? "Team" : "Agent";
}

/** Event, agent or team, status and time: what stands above a result. */
export function facts(payload: Payload): readonly (readonly [label: string, value: string])[] {
  return [
    ["Event", payload.event],
    [workerLabel(payload), payload.agent_name],
    ["Status", payload.status],
    ["Timestamp", payload.timestamp],
  ];
}

/** The body of what is created elsewhere: facts, the error of a failure, and the result. */
export function itemBody(payload: Payload, result = payload.result_full): string {
  const lines = facts(payload).map(([label, value]) => `${label}: ${value}`);
  return [lines.join("\n"), ...errorOf(payload).map((error) => `Error: ${clip(error, MAX_ERROR)}`), result]
    .filter(Boolean)
    .join("\n\n");
}

/** The error of a failure, as a list of one or none. */
export function errorOf({ error }: Payload): readonly string[] {
  return error === null || error === "" ? [] : [error];
}

/** A text without line breaks and runs of spaces. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
