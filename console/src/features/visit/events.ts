import { isRequest } from "../questions/records.ts";
import type { Conversation, Entry, VisitEvent } from "./records.ts";

/** The name of the event that says whether the run waits for people of the workspace. */
const WAITS_FOR_OTHERS = "WAITS_FOR_OTHERS";
/** The name of the event after which the text of an interrupted call comes again. */
const ANSWER_RESTARTS = "ANSWER_RESTARTS";

/** What a conversation becomes with the next event of its answer, which has this id. */
export function withEvent(before: Conversation, id: string, event: VisitEvent): Conversation {
  return { ...changed(before, event), seen: id, sending: undefined };
}

function changed(before: Conversation, event: VisitEvent): Conversation {
  const { entries } = before;
  const message = textOf(event["messageId"]);
  switch (event.type) {
    case "RUN_STARTED":
      return { ...before, state: "working", question: undefined };
    case "TEXT_MESSAGE_START":
      return { ...before, entries: [...entries, { kind: "reply", id: message, text: "", isOpen: true }] };
    case "TEXT_MESSAGE_CONTENT":
      return { ...before, entries: entries.map((entry) => longer(entry, message, textOf(event["delta"]))) };
    case "TEXT_MESSAGE_END":
      return {
        ...before,
        entries: entries.map((entry) => (isReply(entry, message) ? { ...entry, isOpen: false } : entry)),
      };
    case "CUSTOM":
      return withCustom(before, event);
    case "RUN_FINISHED":
      return finished(before, event);
    case "RUN_ERROR":
      return ended(before, textOf(event["message"]));
    default:
      return before;
  }
}

function withCustom(before: Conversation, { name, value }: VisitEvent): Conversation {
  if (name === WAITS_FOR_OTHERS) return { ...before, state: value === true ? "waiting" : "working" };
  if (name !== ANSWER_RESTARTS) return before;
  return { ...before, entries: before.entries.filter((entry) => entry.kind !== "reply" || !entry.isOpen) };
}

function finished(before: Conversation, event: VisitEvent): Conversation {
  const { outcome } = event;
  if (typeof outcome === "object" && outcome !== null && "type" in outcome && outcome.type === "cancelled") {
    return ended(before, "Stopped.");
  }
  const question = questionIn(outcome);
  if (question !== undefined) return { ...before, state: "asking", question };
  const result = textOf(event["result"]).trim();
  const over = ended(before);
  const last = over.entries.findLast(({ kind }) => kind !== "note");
  if (result === "" || (last?.kind === "reply" && last.text.includes(result))) return over;
  const reply = { kind: "reply", id: `result-${over.entries.length}`, text: result, isOpen: false } as const;
  return { ...over, entries: [...over.entries, reply] };
}

/** A conversation whose answer is over, with a note on why there is no more. */
export function ended(before: Conversation, note?: string): Conversation {
  const entries = before.entries.map((entry) => (entry.kind === "reply" ? { ...entry, isOpen: false } : entry));
  const noted: readonly Entry[] =
    note === undefined ? entries : [...entries, { kind: "note", id: `note-${entries.length}`, text: note }];
  return { ...before, state: "idle", question: undefined, entries: noted };
}

function longer(entry: Entry, id: string, delta: string): Entry {
  return isReply(entry, id) ? { ...entry, text: entry.text + delta } : entry;
}

function isReply(entry: Entry, id: string): entry is Extract<Entry, { kind: "reply" }> {
  return entry.kind === "reply" && entry.id === id;
}

function questionIn(outcome: unknown) {
  if (typeof outcome !== "object" || outcome === null || !("interrupts" in outcome)) return undefined;
  const [first]: unknown[] = Array.isArray(outcome.interrupts) ? outcome.interrupts : [];
  const asked = typeof first === "object" && first !== null && "metadata" in first ? first.metadata : undefined;
  return isRequest(asked) ? asked : undefined;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
