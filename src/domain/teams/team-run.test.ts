import { expect, test } from "vitest";
import { verifies } from "../../../test/support/verifies.ts";
import { RUN_STATUSES, RUN_TRANSITIONS, runSourcesOf } from "./team-run.ts";

/** The transitions, repeated independently. */
const ALLOWED = [
  "pending>running",
  "pending>cancelled",
  "running>waiting_for_input",
  "running>completed",
  "running>failed",
  "running>cancelled",
  "waiting_for_input>running",
  "waiting_for_input>failed",
  "waiting_for_input>cancelled",
  "completed>pending",
  "failed>pending",
  "cancelled>pending",
];

verifies("runs.record.statuses", "only the listed transitions exist", () => {
  const possible = RUN_STATUSES.flatMap((to) => runSourcesOf(to).map((from) => `${from}>${to}`));
  expect(possible.toSorted()).toEqual(ALLOWED.toSorted());
});

test("the table cannot be changed", () => {
  expect(Object.isFrozen(RUN_TRANSITIONS)).toBe(true);
});
