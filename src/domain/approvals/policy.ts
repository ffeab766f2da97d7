import { z } from "zod";
import { ROLES } from "../access/role.ts";
import { displayName } from "../display-name.ts";
import { compilePattern } from "./pattern.ts";
import { isPointer } from "./pointer.ts";

const MAX_RULES = 50;
const MAX_CONDITIONS = 20;
const MAX_VALUES = 100;
const MAX_PEOPLE = 50;
const MAX_ESCALATIONS = 5;
const MAX_PATTERN = 500;
const DAY = 86_400;

/** What happens at the last deadline of a question that is still open. */
export const ENDINGS = ["fail", "deny", "allow"] as const;

const pointer = z
  .string()
  .max(500)
  .refine(isPointer, "must be a JSON pointer, such as /amount or /customer/country")
  .describe("A JSON pointer (RFC 6901) to one argument, such as /amount.");

/** JSON numbers with more digits lose some on their way here. */
const NUMBER = "a number of at most 15 digits";
const scalar = z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()]);

/** What the value of each operator must be. */
const VALUES = {
  "=": [scalar, "a text, a number, true, false or null"],
  "!=": [scalar, "a text, a number, true, false or null"],
  ">": [z.number(), "a number"],
  "<": [z.number(), "a number"],
  in: [z.array(scalar).min(1).max(MAX_VALUES), `a list of 1 to ${MAX_VALUES} values`],
  matches: [
    z
      .string()
      .min(1)
      .max(MAX_PATTERN)
      .refine((text) => compilePattern(text) !== undefined),
    `a regular expression of RE2 (no look-around, no back-references), at most ${MAX_PATTERN} characters`,
  ],
} as const;

/** A condition on one argument of a call. */
const argumentCondition = z
  .strictObject({
    pointer,
    is: z.enum(["=", "!=", ">", "<", "in", "matches"]),
    value: z
      .union([scalar, z.array(scalar)], `must be a text, ${NUMBER}, true, false, null, or a list of these`)
      .describe("in: a list; > and <: a number; matches: a regular expression."),
  })
  .superRefine(({ is, value }, context) => {
    const [allowed, words] = VALUES[is];
    if (allowed.safeParse(value).success) return;
    context.addIssue({ code: "custom", path: ["value"], message: `with ${is} must be ${words}` });
  });

const when = z
  .strictObject({
    tool: z.string().min(1).max(128).optional().describe("The tool, as in an agent's tools; absent: any."),
    arguments: z.array(argumentCondition).max(MAX_CONDITIONS).optional().describe("All of them must hold."),
    cost_above: z.number().min(0).optional().describe("The run has cost more than this so far, in US dollars."),
    first_use: z.literal(true).optional().describe("No call of the tool by this agent was approved before."),
  })
  .describe("Which calls the rule is for; {}: every call.");

const ask = z
  .strictObject({
    people: z
      .array(z.string().trim().min(1).max(320))
      .min(1)
      .max(MAX_PEOPLE)
      .optional()
      .describe("Members by e-mail address or id; stored by id."),
    role: z.enum(ROLES).optional().describe("Everyone with at least this role."),
    channel: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .optional()
      .describe("A route of kind people, by name or id; stored by id. It asks there, and asks the route's members."),
  })
  .refine((one) => Object.values(one).some((part) => part !== undefined), "name people, a role, a channel, or several");

const seconds = z
  .int()
  .min(1)
  .max(7 * DAY);

const rule = z
  .strictObject({
    name: displayName(100).optional().describe("What people call the rule."),
    when,
    ask,
    need: z.int().min(1).max(MAX_PEOPLE).default(1).describe("How many of them must approve."),
    denials: z.int().min(1).max(MAX_PEOPLE).default(1).describe("How many denials deny the call."),
    within_seconds: seconds.default(DAY).describe("The last deadline, counted from the question."),
    after: z
      .array(z.strictObject({ seconds, ask }))
      .max(MAX_ESCALATIONS)
      .default([])
      .describe("Who may answer as well after this time, counted from the question."),
    else: z
      .enum(ENDINGS)
      .default("fail")
      .describe("At the last deadline: the run fails, or the call is denied or allowed."),
    starter: z.boolean().default(false).describe("Whether the person who started the run may approve."),
    keys: z
      .boolean()
      .default(false)
      .describe("Whether an answer by a key counts as that of the person who made the key."),
  })
  .superRefine(({ after, within_seconds: last }, context) => {
    after.forEach(({ seconds: at }, index) => {
      if (at > (after[index - 1]?.seconds ?? 0) && at < last) return;
      const message = `must be later than the escalation before it and earlier than within_seconds (${last})`;
      context.addIssue({ code: "custom", path: ["after", index, "seconds"], message });
    });
  })
  .meta({ id: "ApprovalRule" });

/** Rules on which calls of tools people approve: of a call, the first that fits asks. */
export const approvalPolicy = z
  .array(rule)
  .max(MAX_RULES)
  .describe("Rules on which calls of tools people approve. The first that fits a call asks.");

/** See {@link approvalPolicy}. */
export type ApprovalPolicy = z.output<typeof approvalPolicy>;

/** One rule of an {@link ApprovalPolicy}. */
export type ApprovalRule = ApprovalPolicy[number];

/** A condition on one argument of a call. */
export type ArgumentCondition = z.output<typeof argumentCondition>;
