import { expect, test } from "vitest";
import { z } from "zod";
import { describeIssue } from "./errors.ts";
import { issuesOf } from "./invalid.ts";
import { plainMessage } from "./plain-messages.ts";

const task = z.strictObject({
  title: z.string().min(1).max(20),
  agent: z.guid(),
  steps: z.int().min(1).max(5).default(1),
  priority: z.enum(["low", "high"]).default("low"),
  tools: z.array(z.string()).max(1).default([]),
  at: z.iso.datetime().optional(),
  own: z.string().regex(/^x$/, "must be x").optional(),
  answer: z.union([z.string().min(1), z.strictObject({ approved: z.boolean() })]).optional(),
});

const VALID = { title: "T", agent: "01940000-0000-7000-8000-000000000000" };

test.each([
  [{ title: undefined }, "title is required"],
  [{ title: "" }, "title must not be empty"],
  [{ title: "x".repeat(21) }, "title must have at most 20 characters"],
  [{ title: 7 }, "title must be text"],
  [{ title: [] }, "title must be text"],
  [{ tools: "search" }, "tools must be a list"],
  [{ agent: "Writer" }, "agent must be a UUID"],
  [{ steps: 0 }, "steps must be at least 1"],
  [{ steps: 1.5 }, "steps must be a whole number"],
  [{ steps: "1" }, "steps must be a number"],
  [{ priority: "urgent" }, "priority must be one of low, high"],
  [{ tools: ["a", "b"] }, "tools must have at most 1 item"],
  [{ tools: [1] }, "tools.0 must be text"],
  [{ at: "soon" }, "at must be a time such as 2030-01-31T12:00:00Z"],
  [{ own: "y" }, "own must be x"],
  [{ answer: 1 }, "answer must be text or an object"],
  [{ answer: "" }, "answer must not be empty"],
  [{ answer: { approved: "x" } }, "answer is invalid: approved must be true or false"],
  [{ colour: "red" }, "colour: unknown field"],
  [{ titel: "x" }, "titel: unknown field (did you mean title?)"],
])("%j reads: %s", (given, text) => {
  const { error } = task.safeParse({ ...VALID, ...given }, { error: plainMessage });
  expect(issuesOf(error ?? new z.ZodError([])).map(describeIssue)).toEqual([text]);
});

test("each unknown field names the field that was probably meant, also by the end of its name", () => {
  const schema = z.strictObject({ assigned_agent_id: z.string().optional(), title: z.string().optional() });
  const { error } = schema.safeParse({ agent_id: "x", foo: 1, tittle: "y" }, { error: plainMessage });
  expect(issuesOf(error ?? new z.ZodError([])).map(describeIssue)).toEqual([
    "agent_id: unknown field (did you mean assigned_agent_id?)",
    "foo: unknown field",
    "tittle: unknown field (did you mean title?)",
  ]);
});

const shape = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("circle"), radius: z.number() }),
  z.strictObject({ kind: z.literal("square"), side: z.number() }),
]);

test.each([
  [{ radius: 1 }, "kind is required: one of circle, square"],
  [{ kind: "oval" }, "kind must be one of circle, square"],
  [{ kind: "circle" }, "radius is required"],
])("%j, chosen by its kind, reads: %s", (given, text) => {
  const { error } = shape.safeParse(given, { error: plainMessage });
  expect(issuesOf(error ?? new z.ZodError([])).map(describeIssue)).toEqual([text]);
});
