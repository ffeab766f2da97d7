import type { Payload } from "#domain/destinations/payload.ts";
import { clip } from "./truncate.ts";

/** The code points of an error shown above a result: vendors limit both together. */
const MAX_ERROR = 500;
/** Message colours by outcome, as RGB: green for what went well, red for what did not. */
const COLORS = { good: 0x2e_a0_43, bad: 0xd1_24_2f } as const;

/** A message's colour: green when completed or resolved, red when failed or firing. */
export function colorOf(payload: Payload): number {
  return isBad(payload) ? COLORS.bad : COLORS.good;
}

/** Whether a payload reports a failure, or an alert that fires. */
export function isBad({ status }: Payload): boolean {
  return status === "failed" || status === "firing";
}

/** The title of created records: `[Service] <task title> — <status>`, on one line. */
export function itemTitle(serviceName: string, { task_title: title, status }: Payload): string {
  return oneLine(`[${serviceName}] ${title} — ${status}`);
}

/** What `agent_name` refers to: an agent, for a team run the team, for an audit entry a person. */
export function workerLabel({ event }: Payload): "Agent" | "Team" | "Person" | "About" {
  if (event === "audit.recorded") return "Person";
  if (event.startsWith("alert.")) return "About";
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
