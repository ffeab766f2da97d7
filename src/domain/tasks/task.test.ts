import * as fc from "fast-check";
import { expect, test } from "vitest";
import { verifies } from "../../../test/support/verifies.ts";
import { TASK_STATUSES, TASK_TRANSITIONS, canTransition, isTerminal, sourcesOf } from "./task-status.ts";
import type { TaskStatus } from "./task-status.ts";

/** The contract's transition table, repeated independently. */
const ALLOWED = [
  "pending>dispatched",
  "pending>cancelled",
  "dispatched>running",
  "dispatched>cancelled",
  "running>waiting_for_input",
  "running>completed",
  "running>failed",
  "running>cancelled",
  "waiting_for_input>running",
  "waiting_for_input>failed",
  "waiting_for_input>cancelled",
  "completed>dispatched",
  "failed>dispatched",
  "cancelled>dispatched",
];

const status = fc.constantFrom(...TASK_STATUSES);

verifies(["tasks.state.one-table", "tasks.record.statuses"], "only the listed transitions exist", () => {
  const possible = TASK_STATUSES.flatMap((from) => TASK_STATUSES.map((to) => [from, to] as const));
  const allowed = possible.filter(([from, to]) => canTransition(from, to)).map(([from, to]) => `${from}>${to}`);
  expect(allowed.toSorted()).toEqual(ALLOWED.toSorted());
  expect(Object.isFrozen(TASK_TRANSITIONS)).toBe(true);
});

verifies("tasks.state.one-table", "no sequence of triggers leaves the table", () => {
  fc.assert(
    fc.property(fc.array(status, { maxLength: 50 }), (triggers) => {
      let now: TaskStatus = "pending";
      for (const wanted of triggers) {
        // A guarded update: it only happens from an allowed state.
        const next: TaskStatus = sourcesOf(wanted).includes(now) ? wanted : now;
        expect(next === now || ALLOWED.includes(`${now}>${next}`)).toBe(true);
        now = next;
      }
      expect(TASK_STATUSES).toContain(now);
    }),
  );
});

test("the sources of a state are the states with a transition to it", () => {
  fc.assert(
    fc.property(status, status, (from, to) => {
      expect(sourcesOf(to).includes(from)).toBe(canTransition(from, to));
    }),
  );
});

test("an ended task can only be dispatched again, and no state is its own successor", () => {
  expect(TASK_STATUSES.filter(isTerminal)).toEqual(["completed", "failed", "cancelled"]);
  for (const from of TASK_STATUSES) {
    expect(canTransition(from, from)).toBe(false);
    expect(isTerminal(from)).toBe(TASK_TRANSITIONS[from].join() === "dispatched");
  }
});

test("every state can be reached from a new task", () => {
  const reached = new Set<TaskStatus>(["pending"]);
  for (const from of reached) for (const to of TASK_TRANSITIONS[from]) reached.add(to);
  expect([...reached].toSorted()).toEqual(TASK_STATUSES.toSorted());
});
