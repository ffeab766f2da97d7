import { expect, test } from "vitest";
import { listSteps } from "./list-steps.ts";
import type { FinishedRecord, RecordedAttempt, StartedRecord } from "./recorded-attempt.ts";

const finished = (key: string, facts: FinishedRecord["facts"] = {}): FinishedRecord => {
  return { key, facts, startedAt: 5, firstTokenAt: null, endedAt: 9 };
};
const begun = (kind: "turn" | "tool", key: string, endedAt: number | null = null): StartedRecord => {
  return { kind, key, label: "web_search", agentId: null, at: 5, endedAt, code: null };
};
const keysOf = (attempt: Partial<RecordedAttempt>) =>
  listSteps({
    finished: [],
    begun: [],
    question: undefined,
    status: "completed",
    errorCode: null,
    startedAt: 1,
    endedAt: 9,
    isTeam: false,
    takenOver: [],
    ...attempt,
  }).map(({ key }) => key);

test("calls that start in the same millisecond are listed as the model asked for them", () => {
  const places = [1, 2, 10].map((n) => finished(`tool:call_${n}`, { place: n - 1 }));
  expect(keysOf({ finished: places.toReversed() })).toEqual(["tool:call_1", "tool:call_2", "tool:call_10"]);
});

test("while they run, one that has ended stays between the others", () => {
  const attempt = {
    finished: [finished("tool:call_2", { place: 1 })],
    begun: [begun("tool", "call_1"), begun("tool", "call_2", 9), begun("tool", "call_10")],
    status: "running",
    endedAt: null,
  } as const;
  expect(keysOf(attempt)).toEqual(["tool:call_1", "tool:call_2", "tool:call_10"]);
});

test("delegations that start in the same millisecond are listed by their numbers", () => {
  const delegations = [10, 2, 1].map((n) =>
    finished(`delegation:call_${n}/model:0`, {
      turn: { label: `d${n}: Bob`, agentId: "01940000-0000-7000-8000-000000000000" },
    }),
  );
  expect(keysOf({ finished: delegations, isTeam: true }).filter((key) => !key.includes("/"))).toEqual([
    "brain",
    "delegation:call_1",
    "delegation:call_2",
    "delegation:call_10",
  ]);
});
