import { expect, test } from "vitest";
import type { Entry } from "../log/transcript.ts";
import type { StepRow } from "../records.ts";
import { liveWords } from "./live-words.ts";

const said = (agentId: string, text: string, isOpen = true): Entry => ({
  id: `${agentId} ${text}`,
  at: 1_000,
  agentId,
  kind: "message",
  text,
  isOpen,
  isCut: false,
});
const branch = (n: number, agentId: string): StepRow[] => [
  { key: `b${n}`, parent: "step", kind: "branch", status: "running", agent_id: agentId },
  { key: `b${n}/model:0`, parent: `b${n}`, kind: "model", status: "running", started_at: 900 },
];

test("branches that stream have their words, and the row above their sum", () => {
  const rows: StepRow[] = [{ key: "step", kind: "step", status: "running" }, ...branch(1, "ada"), ...branch(2, "ben")];
  const entries = [said("ada", "one two three four"), said("ben", "one two")];
  const found = liveWords(rows, { entries, isOver: false }, 3_000);
  expect(found.get("b1/model:0")).toEqual({ words: 4, perSecond: 2, since: 1_000 });
  expect(found.get("b2")).toEqual({ words: 2, perSecond: 1, since: 1_000 });
  expect(found.get("step")).toEqual({ words: 6, perSecond: 3, since: 1_000 });
});

test("a closed message and two calls of one agent at the same time have none", () => {
  const closed = { entries: [said("ada", "done", false)], isOver: false };
  expect(liveWords(branch(1, "ada"), closed, 3_000).size).toBe(0);
  const twice = { entries: [said("ada", "one two")], isOver: false };
  expect(liveWords([...branch(1, "ada"), ...branch(2, "ada")], twice, 3_000).size).toBe(0);
});
