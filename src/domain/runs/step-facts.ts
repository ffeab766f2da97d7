import { z } from "zod";

/** How a question can be answered: through a surface, or by the run's own client with the results of its tools. */
export const ANSWER_CHANNELS = ["console", "link", "ag-ui", "a2a", "client"] as const;

/** One of {@link ANSWER_CHANNELS}. */
export type AnswerChannel = (typeof ANSWER_CHANNELS)[number];

/** What lists of steps show of a finished step, besides its times. Fields without a value are left out. */
export const stepFacts = z.object({
  /** The tool's name, or the title of a question. */
  label: z.string().optional(),
  /** The turn in a team's run that begins with this step: what it is called, and whose it is. */
  turn: z.object({ label: z.string(), agentId: z.string() }).optional(),
  model: z.string().optional(),
  promptTokens: z.int().optional(),
  completionTokens: z.int().optional(),
  costUsd: z.number().optional(),
  /** How long a model call waited for others to free their budgets, and between its tries, in milliseconds. */
  waitMs: z.int().optional(),
  /** Tries of a model call. */
  tries: z.int().optional(),
  /** The code with which it failed; `TOOL_ERROR` for a tool that gave an error to the model. */
  error: z.string().optional(),
  /** The step has asked a person instead of ending. */
  asks: z.literal(true).optional(),
  /** No other call of its turn follows. */
  isLast: z.literal(true).optional(),
  /** A fork has it from another run, which has paid for it. */
  takenOver: z.literal(true).optional(),
  /** Bytes of what it returned and of its request. */
  size: z.int().optional(),
  /** Who has answered a question, and how. */
  answeredBy: z.object({ userId: z.string(), keyId: z.string().optional() }).optional(),
  /** What the person who answered by a link has called themselves. */
  answeredName: z.string().optional(),
  answeredVia: z.enum(ANSWER_CHANNELS).optional(),
});

/** See {@link stepFacts}. */
export type StepFacts = Readonly<z.output<typeof stepFacts>>;

/** The code of a tool call whose result is an error that the model has read. */
export const TOOL_ERROR = "TOOL_ERROR";
