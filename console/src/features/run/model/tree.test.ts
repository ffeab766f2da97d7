import { expect, test } from "vitest";
import type { StepRow } from "../../records/run-head.ts";
import { flatten, prune } from "./flatten.ts";
import { matchingKeys } from "./filter.ts";
import { branchCounts, buildTree, startsOpen } from "./tree.ts";

const row = (key: string, fields: Partial<StepRow> = {}): StepRow => ({
  key,
  kind: "model",
  status: "completed",
  ...fields,
});
const branch = (index: number, fields: Partial<StepRow>): StepRow =>
  row(`step:1:attempt:0:branch:${index}`, { kind: "branch", parent: "step:1:attempt:0", ...fields });

const PIPELINE: readonly StepRow[] = [
  row("step:0:attempt:0", { kind: "step", label: "Research" }),
  row("step:0:attempt:0/model:0", { parent: "step:0:attempt:0", cost_usd: 0.5, prompt_tokens: 10 }),
  row("step:0:attempt:0/tool:a", { parent: "step:0:attempt:0", kind: "tool", label: "web_search" }),
  row("step:1:attempt:0", { kind: "step", label: "Write" }),
  row("step:1:attempt:0/model:0", { parent: "step:1:attempt:0", cost_usd: 2, status: "failed", completion_tokens: 7 }),
];

test("groups have the sums of their parts", () => {
  const [research, write] = buildTree(PIPELINE);
  expect(research?.parts.map((part) => part.row.key)).toEqual(["step:0:attempt:0/model:0", "step:0:attempt:0/tool:a"]);
  expect(research?.sums).toMatchObject({
    calls: 2,
    promptTokens: 10,
    completionTokens: 0,
    costUsd: 0.5,
    hasFailed: false,
  });
  expect(write?.sums).toMatchObject({ calls: 1, costUsd: 2, completionTokens: 7, hasFailed: true });
});

test("steps that another run paid for cost nothing here", () => {
  expect(buildTree([row("model:0", { cost_usd: 1, taken_over: true })])[0]?.sums.costUsd).toBe(0);
});

test("a row with a missing parent is a root", () => {
  expect(buildTree([row("x", { parent: "gone" })])).toHaveLength(1);
});

test("branches: failed first, then what is open, then the longest; the merge comes last", () => {
  const [step] = buildTree([
    row("step:1:attempt:0", { kind: "step" }),
    row("step:1:attempt:0:merge", { kind: "merge", parent: "step:1:attempt:0" }),
    branch(0, { started_at: 0, ended_at: 10 }),
    branch(1, { started_at: 0, ended_at: 30 }),
    branch(2, { status: "running", started_at: 0 }),
    branch(3, { status: "failed", started_at: 0, ended_at: 1 }),
  ]);
  expect(step?.parts.map((part) => part.row.key.replace("step:1:attempt:0:", ""))).toEqual([
    "branch:3",
    "branch:2",
    "branch:1",
    "branch:0",
    "merge",
  ]);
  expect(step && branchCounts(step)).toMatchObject({ all: 4, completed: 2, running: 1, failed: 1 });
});

test("many branches start closed, unless one has failed", () => {
  const fan = (failed: boolean) =>
    buildTree([
      row("step:1:attempt:0", { kind: "step" }),
      ...Array.from({ length: 20 }, (_, index) =>
        branch(index, { status: failed && index === 3 ? "failed" : "running" }),
      ),
    ])[0];
  const [many, broken] = [fan(false), fan(true)];
  expect(many && startsOpen(many, 21)).toBe(false);
  expect(broken && startsOpen(broken, 21)).toBe(true);
});

test("the tree is flattened with level, position and count", () => {
  const flat = flatten(buildTree(PIPELINE), ({ row: { key } }) => key === "step:0:attempt:0");
  expect(
    flat.map(({ node, level, position, count, isOpen }) => [node.row.key, level, position, count, isOpen]),
  ).toEqual([
    ["step:0:attempt:0", 1, 1, 2, true],
    ["step:0:attempt:0/model:0", 2, 1, 2, undefined],
    ["step:0:attempt:0/tool:a", 2, 2, 2, undefined],
    ["step:1:attempt:0", 1, 2, 2, false],
  ]);
});

test("filters keep what matches and the groups that hold it", () => {
  const kept = (text: string, filter?: Parameters<typeof matchingKeys>[1]["filter"]) => {
    const keys = matchingKeys(PIPELINE, { text, filter });
    const pruned = prune(buildTree(PIPELINE), (node) => keys?.has(node.row.key) ?? true);
    return flatten(pruned, () => true).map(({ node }) => node.row.key);
  };
  expect(kept("SEARCH")).toEqual(["step:0:attempt:0", "step:0:attempt:0/tool:a"]);
  expect(kept("write")).toEqual(["step:1:attempt:0", "step:1:attempt:0/model:0"]);
  expect(kept("", "failed")).toEqual(["step:1:attempt:0", "step:1:attempt:0/model:0"]);
  expect(kept("", "costliest")).toContain("step:1:attempt:0/model:0");
  expect(kept("write", "tool")).toEqual([]);
  expect(matchingKeys(PIPELINE, { text: " ", filter: undefined })).toBeUndefined();
});
