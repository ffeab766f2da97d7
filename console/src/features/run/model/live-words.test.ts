import { expect, test } from "vitest";
import type { Entry } from "../log/transcript.ts";
import type { StepRow } from "../../records/run-head.ts";
import { liveWords } from "./live-words.ts";

const said = (turn: string, text: string, isOpen = true): Entry => ({
  id: `${turn} ${text}`,
  at: 1_000,
  agentId: "ada",
  kind: "message",
  text,
  turn,
  isOpen,
  isCut: false,
});
const branch = (n: number, label: string): StepRow[] => [
  { key: `b${n}`, parent: "step", kind: "branch", status: "running", agent_id: "ada", label },
  { key: `b${n}/model:0`, parent: `b${n}`, kind: "model", status: "running", started_at: 900 },
];

test("each turn of an agent that streams has its own words, and the row above them the sum", () => {
  const rows: StepRow[] = [{ key: "step", kind: "step", status: "running" }, ...branch(1, "One"), ...branch(2, "Two")];
  const entries = [said("One", "one two three four"), said("Two", "one two")];
  const found = liveWords(rows, { entries, isOver: false }, 3_000);
  expect(found.get("b1/model:0")).toEqual({ words: 4, perSecond: 2, since: 1_000 });
  expect(found.get("b2")).toEqual({ words: 2, perSecond: 1, since: 1_000 });
  expect(found.get("step")).toEqual({ words: 6, perSecond: 3, since: 1_000 });
});

test("a closed message has none", () => {
  const closed = { entries: [said("One", "done", false)], isOver: false };
  expect(liveWords(branch(1, "One"), closed, 3_000).size).toBe(0);
});
