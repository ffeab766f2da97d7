import type { RunEvent } from "../../../api/live-stream.ts";

/** What happened in a run, in order, for reading. */
export type Entry = EntryFields &
  (
    | {
        readonly kind: "message";
        readonly text: string;
        /** The name of its turn, in a team run. */
        readonly turn: string | undefined;
        readonly isOpen: boolean;
        readonly isCut: boolean;
      }
    | {
        /** What the model thinks. */
        readonly kind: "thought";
        readonly text: string;
        readonly turn: string | undefined;
        readonly isOpen: boolean;
      }
    | {
        readonly kind: "tool";
        readonly name: string;
        readonly args: string;
        /** Undefined while the call runs. */
        readonly result: string | undefined;
      }
    | { readonly kind: "note"; readonly text: string }
  );

interface EntryFields {
  readonly id: string;
  /** Unix milliseconds. */
  readonly at: number;
  /** The agent of the text or call, in a team run. */
  readonly agentId: string | undefined;
}

/** The entries so far, and whether the run has ended. */
export interface Transcript {
  readonly entries: readonly Entry[];
  readonly isOver: boolean;
}

/** Before the first event. */
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
  const fields = { at: numberOf(event["timestamp"]), agentId: textOf(event["agentId"]) || undefined };
  switch (event.type) {
    case "TEXT_MESSAGE_START": {
      const turn = textOf(event["stepName"]) || undefined;
      entries.push({ ...fields, kind: "message", id: message, text: "", turn, isOpen: true, isCut: false });
      return;
    }
    case "TEXT_MESSAGE_CONTENT":
      return change(entries, message, (entry) =>
        entry.kind === "message" ? { ...entry, text: entry.text + textOf(event["delta"]) } : entry,
      );
    case "TEXT_MESSAGE_END":
      return change(entries, message, (entry) => (entry.kind === "message" ? { ...entry, isOpen: false } : entry));
    case "REASONING_MESSAGE_START": {
      const turn = textOf(event["stepName"]) || undefined;
      entries.push({ ...fields, kind: "thought", id: message, text: "", turn, isOpen: true });
      return;
    }
    case "REASONING_MESSAGE_CONTENT":
      return change(entries, message, (entry) =>
        entry.kind === "thought" ? { ...entry, text: entry.text + textOf(event["delta"]) } : entry,
      );
    case "REASONING_MESSAGE_END":
      return change(entries, message, (entry) => (entry.kind === "thought" ? { ...entry, isOpen: false } : entry));
    case "TOOL_CALL_START":
      entries.push({
        ...fields,
        kind: "tool",
        id: call,
        name: textOf(event["toolCallName"]),
        args: "",
        result: undefined,
      });
      return;
    case "TOOL_CALL_ARGS":
      return change(entries, call, (entry) =>
        entry.kind === "tool" ? { ...entry, args: entry.args + textOf(event["delta"]) } : entry,
      );
    case "TOOL_CALL_END":
      return change(entries, call, (entry) =>
        entry.kind === "tool" ? { ...entry, result: textOf(event["result"]) } : entry,
      );
    default: {
      const text = noteOf(event);
      if (event["name"] === "run_resumed") cutOpenMessages(entries);
      if (text !== undefined) entries.push({ ...fields, kind: "note", id: `n${event.seq}`, text });
    }
  }
}

function noteOf(event: RunEvent): string | undefined {
  switch (event.type) {
    case "INTERACTION_REQUEST":
      return `Asked: ${textOf(event["title"])}`;
    case "INTERACTION_RESPONSE":
      return "Answered";
    case "INTERACTION_TIMEOUT":
      return "No answer in time";
    case "STEP_STARTED":
      return textOf(event["stepName"]);
    case "RUN_ERROR":
      return textOf(event["message"]);
    case "CUSTOM":
      return customNote(textOf(event["name"]), event["value"]);
    default:
      return undefined;
  }
}

const RESUMED: Readonly<Record<string, string>> = {
  crash: "The process died; another one continues",
  handover: "The process was stopped; another one continues",
};

/** What an event without a type in AG-UI says to a person; undefined for one that says nothing. */
export function customNote(name: string, value: unknown): string | undefined {
  const fields = new Map<string, unknown>(typeof value === "object" && value !== null ? Object.entries(value) : []);
  if (name === "run_resumed") return RESUMED[textOf(fields.get("reason"))];
  const message = textOf(fields.get("message"));
  if (name === "budget_wait") return `Waits for a budget: ${message}`;
  if (name === "turns_summarized") return message;
  if (name === "approval_vote") return voteNote(fields);
  if (name !== "model_retry") return undefined;
  return `Try ${numberOf(fields.get("try"))} of ${numberOf(fields.get("of"))} of the model call: ${message}`;
}

function voteNote(fields: ReadonlyMap<string, unknown>): string {
  const did = fields.get("approved") === true ? "approved" : "denied";
  const count = `${numberOf(fields.get("approvals"))} of ${numberOf(fields.get("need"))}`;
  return `${textOf(fields.get("by"))} ${did} the call: ${count} have approved it`;
}

/** After a takeover, the text of the dead process is streamed again. */
function cutOpenMessages(entries: Entry[]): void {
  for (const [index, entry] of entries.entries()) {
    if (entry.kind === "message" && entry.isOpen) entries[index] = { ...entry, isOpen: false, isCut: true };
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

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
