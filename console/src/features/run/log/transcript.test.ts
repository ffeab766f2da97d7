import { expect, test } from "vitest";
import type { RunEvent } from "../../../api/live-stream.ts";
import { EMPTY_TRANSCRIPT, addEvents } from "./transcript.ts";
import { streamedText } from "./streamed-text.ts";

let seq = 0;
const event = (type: string, fields: Readonly<Record<string, unknown>> = {}): RunEvent => ({
  run: "r",
  seq: (seq += 1),
  type,
  timestamp: 1_000,
  ...fields,
});
const said = (id: string, delta: string, fields = {}) => [
  event("TEXT_MESSAGE_START", { messageId: id, ...fields }),
  event("TEXT_MESSAGE_CONTENT", { messageId: id, delta }),
];

test("text deltas, tool calls and questions are read in their order", () => {
  const first = addEvents(EMPTY_TRANSCRIPT, [
    event("RUN_STARTED"),
    ...said("m1", "Hel"),
    event("TOOL_CALL_START", { toolCallId: "t1", toolCallName: "current_time" }),
    event("TOOL_CALL_ARGS", { toolCallId: "t1", delta: "{}" }),
  ]);
  expect(first.entries).toMatchObject([
    { kind: "message", id: "m1", text: "Hel", isOpen: true },
    { kind: "tool", id: "t1", name: "current_time", args: "{}", result: undefined },
  ]);
  const second = addEvents(first, [
    event("TEXT_MESSAGE_CONTENT", { messageId: "m1", delta: "lo" }),
    event("TEXT_MESSAGE_END", { messageId: "m1" }),
    event("TOOL_CALL_END", { toolCallId: "t1", result: "12:00" }),
    event("INTERACTION_REQUEST", { title: "Shall I?" }),
    event("RUN_FINISHED"),
  ]);
  expect(second.entries.map((entry) => ("text" in entry ? entry.text : entry.result))).toEqual([
    "Hello",
    "12:00",
    "Asked: Shall I?",
  ]);
  expect(second.isOver).toBe(true);
});

test("what the model thinks is an entry of its own, also between its words", () => {
  const { entries } = addEvents(EMPTY_TRANSCRIPT, [
    event("REASONING_MESSAGE_START", { messageId: "r1", stepName: "Draft", agentId: "a" }),
    event("REASONING_MESSAGE_CONTENT", { messageId: "r1", delta: "Let me " }),
    event("REASONING_MESSAGE_CONTENT", { messageId: "r1", delta: "see." }),
    event("REASONING_MESSAGE_END", { messageId: "r1" }),
    ...said("m1", "Well."),
    event("REASONING_MESSAGE_START", { messageId: "r2" }),
  ]);
  expect(entries).toMatchObject([
    { kind: "thought", id: "r1", text: "Let me see.", turn: "Draft", agentId: "a", isOpen: false },
    { kind: "message", id: "m1" },
    { kind: "thought", id: "r2", text: "", isOpen: true },
  ]);
});

test("an attempt after the end starts over", () => {
  const over = addEvents(EMPTY_TRANSCRIPT, [...said("m1", ""), event("RUN_FINISHED")]);
  expect(addEvents(over, [event("RUN_STARTED")])).toEqual({ entries: [], isOver: false });
});

test("text of a process that died is cut, and repeated after a note", () => {
  const { entries } = addEvents(EMPTY_TRANSCRIPT, [
    ...said("m1", "Hel"),
    event("CUSTOM", { name: "run_resumed", value: { reason: "crash", from_step: null } }),
    ...said("m2", "Hello"),
  ]);
  expect(entries).toMatchObject([
    { text: "Hel", isOpen: false, isCut: true },
    { kind: "note", text: "The process died; another one continues" },
    { text: "Hello", isOpen: true, isCut: false },
  ]);
});

test("a retry of a model call is noted with the provider's message", () => {
  const value = { model: "m", try: 2, of: 4, message: "Overloaded.", retry_in_ms: 500 };
  const { entries } = addEvents(EMPTY_TRANSCRIPT, [event("CUSTOM", { name: "model_retry", value })]);
  expect(entries).toMatchObject([{ kind: "note", text: "Try 2 of 4 of the model call: Overloaded." }]);
});

test("text deltas belong to the call of their turn and time", () => {
  const transcript = addEvents(EMPTY_TRANSCRIPT, [
    ...said("m1", "one", { stepName: "a", timestamp: 10_000 }),
    ...said("m2", "two", { stepName: "b", timestamp: 10_000 }),
    ...said("m3", "three", { stepName: "a", timestamp: 60_000 }),
  ]);
  const call = { key: "model:0", kind: "model", status: "running" } as const;
  expect(streamedText(transcript, { ...call, started_at: 9_000, ended_at: 20_000 }, "a")?.text).toBe("one");
  expect(streamedText(transcript, { ...call, started_at: 9_000 }, "b")?.text).toBe("two");
  expect(streamedText(transcript, { ...call, started_at: 30_000 }, "a")?.text).toBe("three");
  expect(streamedText(transcript, { ...call, started_at: 90_000 }, "a")).toBeUndefined();
});
