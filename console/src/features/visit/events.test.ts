import { expect, test } from "vitest";
import { withEvent } from "./events.ts";
import { newConversation } from "./records.ts";
import type { Conversation, VisitEvent } from "./records.ts";

const said = { ...newConversation("c", 0), state: "working" as const };

function after(events: readonly VisitEvent[], before: Conversation = said): Conversation {
  return events.reduce((conversation, event, index) => withEvent(conversation, String(index + 1), event), before);
}

const start = (messageId: string) => ({ type: "TEXT_MESSAGE_START", messageId });
const content = (messageId: string, delta: string) => ({ type: "TEXT_MESSAGE_CONTENT", messageId, delta });
const end = (messageId: string) => ({ type: "TEXT_MESSAGE_END", messageId });

test("an answer grows, and its result is shown once", () => {
  const events = [{ type: "RUN_STARTED" }, start("m"), content("m", "Hello"), content("m", " you"), end("m")];
  const { entries, seen, state } = after([...events, { type: "RUN_FINISHED", result: "Hello you" }]);
  expect(entries).toEqual([{ kind: "reply", id: "m", text: "Hello you", isOpen: false }]);
  expect([seen, state]).toEqual(["6", "idle"]);
  expect(after([{ type: "RUN_FINISHED", result: "Rendered" }]).entries).toMatchObject([{ text: "Rendered" }]);
});

test("the text of an interrupted call goes when it comes again", () => {
  const { entries } = after([
    start("a"),
    content("a", "Whole."),
    end("a"),
    start("b"),
    content("b", "Half"),
    { type: "CUSTOM", name: "ANSWER_RESTARTS" },
    end("b"),
    start("c"),
    content("c", "Half and half"),
  ]);
  expect(entries.map((entry) => "text" in entry && entry.text)).toEqual(["Whole.", "Half and half"]);
});

test("a question, a wait for others and a failure are states of their own", () => {
  const asked = { interactionId: "i", interactionType: "text_input", toolCallId: "t", title: "Name?", description: "" };
  const outcome = { type: "interrupt", interrupts: [{ id: "i", metadata: asked }] };
  expect(after([{ type: "RUN_FINISHED", outcome }])).toMatchObject({ state: "asking", question: { title: "Name?" } });
  const waits = { type: "CUSTOM", name: "WAITS_FOR_OTHERS", value: true };
  expect(after([waits]).state).toBe("waiting");
  expect(after([waits, { ...waits, value: false }]).state).toBe("working");
  expect(after([start("m"), { type: "RUN_ERROR", code: "FAILED", message: "No." }])).toMatchObject({
    state: "idle",
    entries: [{ isOpen: false }, { kind: "note", text: "No." }],
  });
  expect(after([{ type: "RUN_FINISHED", outcome: { type: "cancelled" } }]).entries).toMatchObject([
    { text: "Stopped." },
  ]);
});
