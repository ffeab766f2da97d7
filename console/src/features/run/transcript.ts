import type { RunEvent } from "../../api/run-stream.ts";

/** What happened in a run, in order, for reading. */
export type Entry =
  | { readonly kind: "message"; readonly id: string; readonly text: string; readonly isOpen: boolean }
  | {
      readonly kind: "tool";
      readonly id: string;
      readonly name: string;
      readonly args: string;
      /** Undefined while the call runs. */
      readonly result: string | undefined;
    }
  | { readonly kind: "note"; readonly id: string; readonly text: string };

/** The entries so far, with the status that the last event means; undefined before the first one. */
export interface Transcript {
  readonly entries: readonly Entry[];
  readonly isOver: boolean;
}

export const EMPTY_TRANSCRIPT: Transcript = { entries: [], isOver: false };

/** The transcript after some more events. An attempt that begins again starts a new transcript. */
export function addEvents(before: Transcript, events: readonly RunEvent[]): Transcript {
  let entries = [...before.entries];
  let { isOver } = before;
  for (const event of events) {
    if (event.type === "RUN_STARTED" && isOver) entries = [];
    isOver = event.type === "RUN_FINISHED" || event.type === "RUN_ERROR";
    addEvent(entries, event);
  }
  return { entries, isOver };
}

function addEvent(entries: Entry[], event: RunEvent): void {
  const message = textOf(event["messageId"]);
  const call = textOf(event["toolCallId"]);
  switch (event.type) {
    case "TEXT_MESSAGE_START":
      entries.push({ kind: "message", id: message, text: "", isOpen: true });
      return;
    case "TEXT_MESSAGE_CONTENT":
      return change(entries, message, (entry) =>
        entry.kind === "message" ? { ...entry, text: entry.text + textOf(event["delta"]) } : entry,
      );
    case "TEXT_MESSAGE_END":
      return change(entries, message, (entry) => (entry.kind === "message" ? { ...entry, isOpen: false } : entry));
    case "TOOL_CALL_START":
      entries.push({ kind: "tool", id: call, name: textOf(event["toolCallName"]), args: "", result: undefined });
      return;
    case "TOOL_CALL_ARGS":
      return change(entries, call, (entry) =>
        entry.kind === "tool" ? { ...entry, args: entry.args + textOf(event["delta"]) } : entry,
      );
    case "TOOL_CALL_END":
      return change(entries, call, (entry) =>
        entry.kind === "tool" ? { ...entry, result: textOf(event["result"]) } : entry,
      );
    case "INTERACTION_REQUEST":
      return void entries.push({ kind: "note", id: `q${event.seq}`, text: `Asked: ${textOf(event["title"])}` });
    case "INTERACTION_RESPONSE":
      return void entries.push({ kind: "note", id: `a${event.seq}`, text: "Answered" });
    case "INTERACTION_TIMEOUT":
      return void entries.push({ kind: "note", id: `t${event.seq}`, text: "Nobody answered in time" });
    case "STEP_STARTED":
      return void entries.push({ kind: "note", id: `s${event.seq}`, text: textOf(event["stepName"]) });
  }
}

function change(entries: Entry[], id: string, next: (entry: Entry) => Entry): void {
  const index = entries.findLastIndex((entry) => entry.id === id);
  const entry = entries[index];
  if (entry !== undefined) entries[index] = next(entry);
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
