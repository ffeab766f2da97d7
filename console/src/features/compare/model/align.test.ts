import { expect, test } from "vitest";
import type { StepRow } from "../../records/run-head.ts";
import { alignSteps, linesOf } from "./align.ts";

const row = (key: string, fields: Partial<StepRow> = {}): StepRow => ({
  key,
  kind: "model",
  status: "completed",
  digest: key,
  ...fields,
});
const outline = (a: readonly StepRow[], b: readonly StepRow[], showsEqual = false) =>
  linesOf(alignSteps(a, b), showsEqual).map((line) =>
    line.kind === "equal"
      ? `${line.count} equal`
      : `${"  ".repeat(line.level - 1)}${line.pair.a?.row.key ?? "-"} ${line.pair.b?.row.key ?? "-"}`,
  );

test("equal steps are folded; a difference opens its group", () => {
  const steps = (digest: string) => [
    row("model:0"),
    row("model:1"),
    row("step:0", { kind: "step", label: "Draft" }),
    row("step:0/model:0", { parent: "step:0", digest }),
  ];
  expect(outline(steps("x"), steps("x"))).toEqual(["3 equal"]);
  expect(outline(steps("x"), steps("y"))).toEqual(["2 equal", "step:0 step:0", "  step:0/model:0 step:0/model:0"]);
});

test("steps correspond by kind and name, the first of a name with the first", () => {
  const tool = (key: string, label: string) => row(key, { kind: "tool", label, digest: label });
  const a = [tool("tool:1", "search"), tool("tool:2", "search"), tool("tool:3", "send")];
  const b = [tool("tool:7", "search"), tool("tool:8", "read"), tool("tool:9", "send")];
  expect(outline(a, b, true)).toEqual(["tool:1 tool:7", "- tool:8", "tool:2 -", "tool:3 tool:9"]);
});

test("steps that a fork reuses are equal; another model is a difference", () => {
  expect(outline([row("model:0")], [row("model:0", { taken_over: true, digest: "" })])).toEqual(["1 equal"]);
  const step = { kind: "step", label: "Draft", digest: undefined } as const;
  const whole = [row("step:0:attempt:0", step), row("call", { parent: "step:0:attempt:0" })];
  expect(outline(whole, [row("step:0", { ...step, taken_over: true })])).toEqual(["1 equal"]);
  expect(outline(whole, [row("step:0", { ...step, changed: true })])).toHaveLength(2);
  expect(outline([row("model:0", { model: "a" })], [row("model:0", { model: "b" })])).toEqual(["model:0 model:0"]);
});
