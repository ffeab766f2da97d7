import { expect, test } from "vitest";
import { agentBeside, nameOf, turnName } from "./names.ts";

test("a turn is named by its key alone", () => {
  const keys = ["brain", "delegation:call_1", "turn:3", "moderate:0", "select:1", "step:1:attempt:0", "other"];
  expect(keys.map(turnName)).toEqual([
    "Orchestrator",
    "Delegation",
    "Turn 4",
    "Facilitator, turn 1",
    "Choice of the speaker, turn 2",
    "Step 2",
    "other",
  ]);
  expect(turnName("step:0:attempt:2")).toBe("Step 1, attempt 3");
  expect(turnName("step:0:attempt:0:branch:4")).toBe("Step 1, branch 5");
  expect(turnName("step:0:attempt:1:merge")).toBe("Step 1, attempt 2, merge");
});

test("a summary is named by what it is, not by a number", () => {
  expect(nameOf({ key: "summary:12:0", kind: "summary", status: "completed" })).toBe("Summary of older turns");
});

test("a step has its agent beside it, unless what it is called names the agent", () => {
  const merge = {
    key: "step:0:attempt:0:merge",
    kind: "merge",
    status: "completed",
    label: "Ideas: Editor (merge)",
  } as const;
  const turn = { key: "turn:0", kind: "turn", status: "completed", label: "Turn 1: Editor" } as const;
  expect([merge, turn].map((row) => agentBeside(row, "Editor"))).toEqual(["Editor", undefined]);
  expect(agentBeside(merge, undefined)).toBeUndefined();
});
