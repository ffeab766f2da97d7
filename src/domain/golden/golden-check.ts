import { z } from "zod";
import { compilePattern } from "../approvals/pattern.ts";
import { givenId } from "../given-id.ts";

/** The number of checks of a case, and of judges among them. */
export const MAX_CHECKS = 10;
const MAX_JUDGES = 3;

const MAX_TEXT = 50_000;
const MAX_PATTERN = 1_000;
const MAX_RUBRIC = 8_000;
const MAX_VOTES = 5;

const text = z.string().min(1).max(MAX_TEXT);

/** What the result of a case is held to. */
export const goldenCheck = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.literal("exact"),
    value: text.optional().describe("By default what the case expects. Space at both ends does not count."),
  }),
  z.strictObject({
    type: z.literal("contains"),
    value: text,
    ignore_case: z.boolean().default(false),
  }),
  z.strictObject({
    type: z.literal("pattern"),
    pattern: z
      .string()
      .min(1)
      .max(MAX_PATTERN)
      .refine((given) => compilePattern(given) !== undefined, "must be a regular expression in the syntax of RE2")
      .describe("A regular expression in the syntax of RE2 that matches some part of the result."),
  }),
  z.strictObject({
    type: z.literal("json_schema"),
    schema: z.record(z.string(), z.unknown()).describe("A JSON Schema; the result must be JSON that satisfies it."),
  }),
  z.strictObject({
    type: z.literal("numbers"),
    within: z.number().min(0).max(1e12).describe("How far each number may be from the one expected in its place."),
    unit: z.enum(["absolute", "percent"]).default("absolute"),
  }),
  z.strictObject({
    type: z.literal("judge"),
    agent_id: givenId.describe("The agent that judges. It gets the rubric, the task, what is expected and the result."),
    rubric: z.string().trim().min(1).max(MAX_RUBRIC),
    votes: z.int().min(1).max(MAX_VOTES).default(1).describe("How often it is asked; more than half must pass."),
  }),
  z.strictObject({
    type: z.literal("tools"),
    called: z
      .array(z.string().min(1).max(200))
      .max(50)
      .optional()
      .describe("Names of tools, in this order; by default those that the recorded run called."),
  }),
  z.strictObject({ type: z.literal("cost"), max_usd: z.number().min(0).max(1_000_000) }),
  z.strictObject({ type: z.literal("time"), max_ms: z.int().min(1).max(86_400_000) }),
]);

/** See {@link goldenCheck}. */
export type GoldenCheck = z.output<typeof goldenCheck>;

/** The checks of a case; all must pass. */
export const goldenChecks = z
  .array(goldenCheck)
  .min(1)
  .max(MAX_CHECKS)
  .refine(
    (checks) => checks.filter(({ type }) => type === "judge").length <= MAX_JUDGES,
    `may have at most ${MAX_JUDGES} judges`,
  );

/** The checks of a case that names none. */
export const DEFAULT_CHECKS: readonly GoldenCheck[] = [{ type: "exact" }];

/** A vote of a judge. */
export const goldenVote = z.strictObject({
  passed: z.boolean(),
  reason: z.string().describe("In the judge's words, or why it came to no verdict."),
});

/** See {@link goldenVote}. */
export type GoldenVote = z.output<typeof goldenVote>;

/** How a check came out. */
export const checkOutcome = z.strictObject({
  type: z.string(),
  passed: z.boolean(),
  reason: z.string().describe("What was found, for a check that failed; empty otherwise."),
  votes: z.array(goldenVote).optional().describe("Of a judge."),
});

/** See {@link checkOutcome}. */
export type CheckOutcome = z.output<typeof checkOutcome>;
