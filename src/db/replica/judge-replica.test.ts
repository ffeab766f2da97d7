import { expect, test } from "vitest";
import type { ReplicaFacts } from "../queries/replica-facts.ts";
import { judgeReplica } from "./judge-replica.ts";

const PRIMARY: ReplicaFacts = {
  database: "7/5",
  role: "muster",
  schemaVersion: 90,
  isStandby: false,
  position: 1_000,
  now: 60_000,
  replayedUntil: null,
};
const REPLICA: ReplicaFacts = { ...PRIMARY, isStandby: true, now: 0, replayedUntil: 58_000 };

function judge(facts: Partial<ReplicaFacts>, maxLagMs = 5_000) {
  return judgeReplica({ primary: PRIMARY, replica: { ...REPLICA, ...facts } }, maxLagMs);
}

test("a replica that has replayed all is up to date, however old its last commit is", () => {
  expect(judge({ replayedUntil: 1 })).toEqual({ isUsable: true, lagMs: 0 });
  expect(judge({ position: 1_001, replayedUntil: null })).toEqual({ isUsable: true, lagMs: 0 });
});

test("otherwise it is as old as the last commit that it has replayed, by the primary's clock", () => {
  expect(judge({ position: 999 })).toEqual({ isUsable: true, lagMs: 2_000 });
  expect(judge({ position: 999, replayedUntil: 54_900 })).toMatchObject({ isUsable: false, obstacle: "lag" });
  expect(judge({ position: 999, replayedUntil: 55_000 })).toMatchObject({ isUsable: true });
  expect(judge({ position: null, replayedUntil: null })).toMatchObject({ obstacle: "lag" });
});

test("it says how far it is behind, and what is allowed", () => {
  expect(judge({ position: 999, replayedUntil: 47_600 })).toMatchObject({
    text: "It is 12 s behind the primary; 5 s are allowed (DATABASE_READ_LAG).",
  });
});

test.each([
  [{ isStandby: false }, "not_standby"],
  [{ database: "8/5" }, "other_database"],
  [{ role: "postgres" }, "other_role"],
  [{ schemaVersion: 89 }, "other_schema"],
] as const)("a server with %o is not used", (facts, obstacle) => {
  expect(judge(facts)).toMatchObject({ isUsable: false, obstacle });
});
