import { z } from "zod";
import { displayName } from "../display-name.ts";
import { givenId } from "../given-id.ts";
import { MAX_CASES, goldenCasePatch } from "./golden-case.ts";
import { DEFAULT_CHECKS, goldenChecks } from "./golden-check.ts";
import { goldenRequired } from "./golden-run.ts";
import { recordedTool } from "./recorded-tools.ts";

const message = z.looseObject({ role: z.enum(["user", "assistant"]), content: z.string() });

const describedCase = z.strictObject({
  name: displayName(200),
  title: z.string().describe("Of the task that is given."),
  description: z.string().default(""),
  conversation: z.array(message).nullable().default(null).describe("The messages before it."),
  client_tools: z.unknown().default(null),
  tools: z.array(recordedTool.strict()).default([]).describe("The calls of tools with their results, in order."),
  expected: goldenCasePatch.shape.expected.unwrap(),
  result: z.string().nullable().default(null).describe("Of the kept run."),
  checks: goldenChecks.default([...DEFAULT_CHECKS]),
  cost_usd: z.number().min(0).default(0).describe("Of the kept run, as the figures below."),
  tokens: z.number().min(0).default(0),
  duration_ms: z.number().min(0).default(0),
});

/** The golden cases of an agent and its gate, as files describe them. */
export const goldenSet = z
  .strictObject({
    agent_id: givenId,
    required: goldenRequired.default("none").describe("What a change of the agent must pass."),
    cases: z.array(describedCase).max(MAX_CASES).default([]),
  })
  .describe("The golden cases of an agent, and its gate.");

/** See {@link goldenSet}. */
export type GoldenSet = z.output<typeof goldenSet>;

/** A case of a {@link goldenSet}. */
export type DescribedCase = GoldenSet["cases"][number];
