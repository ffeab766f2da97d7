import { expect, test } from "vitest";
import { takeoversOf } from "./takeovers.ts";

const at = (seconds: number) => new Date(seconds * 1_000).toISOString();

test("a line is drawn where a process died and another one continued", () => {
  const executions = [
    { n: 1, process: "host-a:1", from: at(0), to: at(10), end: "lost" },
    { n: 2, process: "host-b:2", from: at(14.6), to: at(20), end: "waiting" },
    { n: 3, process: "host-b:2", from: at(30), to: null, end: null },
  ] as const;
  expect(takeoversOf(executions)).toEqual([{ at: 10_000, words: "Process died, resumed 4.6 s later on host-b:2" }]);
});
