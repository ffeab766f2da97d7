import { z } from "zod";
import { CALLING_VENDORS } from "../people/channel-path.ts";
import { FINISH_REASONS } from "../models/reply-parts.ts";

/**
 * How a question can be answered: on a surface, by the run's own client with the results of its tools, or at its last
 * deadline by the rule that asked.
 */
export const ANSWER_CHANNELS = [
  "console",
  "link",
  "ag-ui",
  "a2a",
  "mcp",
  "client",
  "rule",
  "page",
  ...CALLING_VENDORS,
] as const;

/** One of {@link ANSWER_CHANNELS}. */
export type AnswerChannel = (typeof ANSWER_CHANNELS)[number];

/** The facts about a finished step that lists show, besides its times. Fields without a value are omitted. */
export const stepFacts = z.object({
  /** The tool's name, or the title of a question. */
  label: z.string().optional(),
  /** The turn in a team run that starts with this step: its label and its agent. */
  turn: z.object({ label: z.string(), agentId: z.string() }).optional(),
  model: z.string().optional(),
  promptTokens: z.int().optional(),
  completionTokens: z.int().optional(),
  /** The prompt tokens that the provider read from and wrote to its cache, and the completion tokens of reasoning. */
  cachedTokens: z.int().optional(),
  cacheWriteTokens: z.int().optional(),
  reasoningTokens: z.int().optional(),
  /** Why a model's reply ended; absent: `stop`. */
  finish: z.enum(FINISH_REASONS).optional(),
  /** The number of notes about what was changed in the request for its model. */
  notes: z.int().optional(),
  /** The message in the event log that has the text of a model's reply. */
  messageId: z.string().optional(),
  costUsd: z.number().optional(),
  /** What budgets reserved for a model call: its worst case. `usd` is null for a model without a price. */
  reserved: z.object({ usd: z.number().nullable(), tokens: z.int() }).optional(),
  /** How long a model call waited for budgets, and between its tries, in milliseconds. */
  waitMs: z.int().optional(),
  /** The number of tries of a model call. */
  tries: z.int().optional(),
  /** The error code; `TOOL_ERROR` for a tool that returned an error to the model. */
  error: z.string().optional(),
  /** The beginning of the error of a model call. */
  message: z.string().optional(),
  /** The provider of models that rejected the key. */
  rejectedBy: z.string().optional(),
  /** The position of a tool call among those of its model call, from 0: calls may start in the same millisecond. */
  place: z.int().optional(),
  /** The step has asked a person instead of ending. */
  asks: z.literal(true).optional(),
  /** The run ended before this question was answered. The record has no result: no run may read it as an answer. */
  unanswered: z.literal(true).optional(),
  /** The last call of its turn. */
  isLast: z.literal(true).optional(),
  /** A fork took it over from another run, which has paid for it. */
  takenOver: z.literal(true).optional(),
  /** The fork was started with this result instead of the other run's; it is taken over as well. */
  changed: z.literal(true).optional(),
  /** The size of its result and of its request, in bytes. */
  size: z.int().optional(),
  /** The person who answered a question, and the channel. */
  answeredBy: z.object({ userId: z.string(), keyId: z.string().optional() }).optional(),
  /** The name entered by a person who answered through a link, or that of a person in a channel. */
  answeredName: z.string().optional(),
  answeredVia: z.enum(ANSWER_CHANNELS).optional(),
});

/** See {@link stepFacts}. */
export type StepFacts = Readonly<z.output<typeof stepFacts>>;

/** The code of a tool call whose result is an error that the model has read. */
export const TOOL_ERROR = "TOOL_ERROR";

/** Errors in lists are cut to this many characters. */
const MAX_MESSAGE = 300;

/** The facts of a model call that failed. */
export function failureFacts(code: string, message: string): StepFacts {
  return { error: code, message: message.slice(0, MAX_MESSAGE).toWellFormed() };
}
