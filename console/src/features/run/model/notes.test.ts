import { expect, test } from "vitest";
import { noteOf } from "./notes.ts";

const DELEGATION = {
  id: "01940000-0000-7000-8000-000000000001",
  run_id: "01940000-0000-7000-8000-000000000002",
  agent_id: "01940000-0000-7000-8000-000000000003",
  instruction: "Describe rain.",
  result: "It rains.",
  error: null,
  tokens_used: 18,
  created_at: "2026-11-24T00:00:00.000Z",
  updated_at: "2026-11-24T00:00:00.000Z",
} as const;
const HEAD = {
  forked_from: { id: "01940000-0000-7000-8000-00000000abcd", attempt: 1, from_step: 2 },
  delegations: [
    { ...DELEGATION, key: "d1", status: "accepted", score: 0.9, revisions: 1 },
    { ...DELEGATION, key: "d2", status: "completed", score: null, revisions: 0 },
  ],
} as const;

test("a reused step names its run, an accepted delegation its score; others say nothing", () => {
  const row = { key: "delegation:a", kind: "delegation", label: "d1: Writer", status: "completed" } as const;
  const { forked_from: _, ...own } = HEAD;
  const head = { ...own, delegations: [...own.delegations], forked_from: null };
  expect(noteOf(head, row)).toEqual({ short: "score 0.9", full: "accepted, score 0.9" });
  expect(noteOf(head, { ...row, label: "d2: Writer" })).toBe(undefined);
  expect(noteOf(head, { ...row, kind: "revision", label: "d1: Writer (revision 1)" })).toBe(undefined);
  const fork = { ...head, forked_from: HEAD.forked_from };
  expect(noteOf(fork, { ...row, taken_over: true })?.full).toMatch(/^reused from run 01940000/);
  expect(noteOf(head, { ...row, taken_over: true })?.full).toBe("reused");
  expect(noteOf(fork, { ...row, changed: true })?.full).toBe("given for this fork");
});
