import { expect, test } from "vitest";
import type { RunEvent } from "../../api/run-stream.ts";
import { EMPTY_TRANSCRIPT, addEvents } from "./transcript.ts";

let seq = 0;
const event = (type: string, fields: Readonly<Record<string, unknown>> = {}): RunEvent => ({
  run: "r",
  seq: (seq += 1),
  type,
  ...fields,
});

test("words, tool calls and questions are read in their order", () => {
  const first = addEvents(EMPTY_TRANSCRIPT, [
    event("RUN_STARTED"),
    event("TEXT_MESSAGE_START", { messageId: "m1" }),
    event("TEXT_MESSAGE_CONTENT", { messageId: "m1", delta: "Hel" }),
    event("TOOL_CALL_START", { toolCallId: "t1", toolCallName: "current_time" }),
    event("TOOL_CALL_ARGS", { toolCallId: "t1", delta: "{}" }),
  ]);
  expect(first.entries).toEqual([
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

test("an attempt after the end starts over", () => {
  const over = addEvents(EMPTY_TRANSCRIPT, [
    event("TEXT_MESSAGE_START", { messageId: "m1" }),
    event("RUN_ERROR", { message: "no" }),
  ]);
  expect(addEvents(over, [event("RUN_STARTED")])).toEqual({ entries: [], isOver: false });
});
