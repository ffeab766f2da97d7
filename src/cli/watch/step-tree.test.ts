import { expect, test } from "vitest";
import { stepTree } from "./step-tree.ts";

const step = (name: string) => ({ name, state: "done", startedAt: 0 }) as const;

test("the branches of one step are below its name", () => {
  const names = ["Plan", "Write: Ada (1 of 2)", "Write: Bob (2 of 2)", "Write: Ann (merge)", "Check: Zoe"];
  const lines = stepTree(names.map(step)).map(({ branch, name }) => branch + name);
  expect(lines).toEqual([
    "├─ Plan",
    "├─ Write",
    "│  ├─ Ada (1 of 2)",
    "│  ├─ Bob (2 of 2)",
    "│  └─ Ann (merge)",
    "└─ Check: Zoe",
  ]);
});
