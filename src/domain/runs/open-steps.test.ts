import { expect, test } from "vitest";
import { openRows } from "./open-steps.ts";
import type { RecordedAttempt, StartedRecord } from "./recorded-attempt.ts";

const begun = (kind: "turn" | "tool", key: string, label: string): StartedRecord => {
  return { kind, key, label, agentId: null, at: 1, endedAt: null, code: null };
};
const attempt = (...parts: readonly StartedRecord[]): RecordedAttempt => ({
  finished: [],
  begun: parts,
  question: undefined,
  status: "running",
  errorCode: null,
  startedAt: 1,
  endedAt: null,
  isTeam: true,
  takenOver: [],
});
const keysOf = (...parts: readonly StartedRecord[]) => openRows(attempt(...parts), []).map(({ key }) => key);

const brain = begun("turn", "brain", "brain: Ann");
const delegate = begun("tool", "brain/call_1", "delegate_to_worker");

test("a call by which a brain directs its workers is no step, and the brain does not wait for its model", () => {
  expect(keysOf(brain)).toEqual(["brain/model:0"]);
  expect(keysOf(brain, delegate)).toEqual([]);
  expect(keysOf(brain, delegate, begun("turn", "delegation:call_1", "d1: Bob"))).toEqual(["delegation:call_1/model:0"]);
});

test("other calls of a brain, and calls with such a name elsewhere, are steps", () => {
  expect(keysOf(brain, begun("tool", "brain/call_1", "web_search"))).toEqual(["brain/tool:call_1"]);
  const turn = begun("turn", "turn:0", "Turn 1: Ann");
  expect(keysOf(turn, begun("tool", "turn:0/call_1", "final_answer"))).toEqual(["turn:0/tool:call_1"]);
});
