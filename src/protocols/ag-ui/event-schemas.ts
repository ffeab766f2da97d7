import { z } from "zod";
import { RUN_ERROR_CODES } from "#domain/streams/stream-event.ts";
import { QUESTION_FIELDS } from "#domain/tasks/open-question.ts";

const TASK = "01a1f0c2-5a30-7000-8000-000000000002";
const AT = 1_795_230_017;
const MESSAGE = "01a1f0c2-5a30-7000-8000-000000000011";
const REASONING = "01a1f0c2-5a30-7000-8000-000000000010";

const threadId = z.string().describe("The task or the team run.");
const runId = z.string().describe("The attempt, or your own runId if you sent one.");
const messageId = z.string();
const toolCallId = z.string();
const stepName = z.string();

/** One type of event: its name in the document, its fields, and an example without type and time. */
function event<const Type extends string, Fields extends z.ZodRawShape>(
  type: Type,
  id: string,
  { description, fields, example }: { readonly description: string; readonly fields: Fields; readonly example: object },
) {
  return z
    .object({
      type: z.literal(type),
      timestamp: z.int().describe("Unix seconds; milliseconds in /console/api/live."),
      agentId: z.string().optional().describe("In a team run: the agent of the text or call."),
      ...fields,
    })
    .meta({ id, description, examples: [{ type, timestamp: AT, ...example }] });
}

const runStarted = event("RUN_STARTED", "RunStartedEvent", {
  description: "The attempt starts.",
  fields: { threadId, runId },
  example: { threadId: TASK, runId: TASK },
});

const stepStarted = event("STEP_STARTED", "StepStartedEvent", {
  description: "A step of a team run starts.",
  fields: { stepName },
  example: { stepName: "Research" },
});

const stepFinished = event("STEP_FINISHED", "StepFinishedEvent", {
  description: "A step of a team run ends.",
  fields: {
    stepName,
    tokensUsed: z.int().optional().describe("Absent when the step has no result."),
    costUsd: z.number().optional().describe("Absent when the step has no result."),
    code: z
      .enum(RUN_ERROR_CODES)
      .optional()
      .describe("Why the step has no result; CANCELLED when the run no longer needed it."),
  },
  example: { stepName: "Research", tokensUsed: 812, costUsd: 0.0041 },
});

const textStart = event("TEXT_MESSAGE_START", "TextMessageStartEvent", {
  description: "A message of the model starts.",
  fields: {
    messageId,
    role: z.literal("assistant"),
    stepName: stepName.optional().describe("In a team run: the open step whose text it is."),
  },
  example: { messageId: MESSAGE, role: "assistant" },
});

const textContent = event("TEXT_MESSAGE_CONTENT", "TextMessageContentEvent", {
  description: "A text delta of the message.",
  fields: { messageId, delta: z.string(), content: z.string().optional().describe("The same as `delta`.") },
  example: { messageId: MESSAGE, delta: "Durable execution ", content: "Durable execution " },
});

const textEnd = event("TEXT_MESSAGE_END", "TextMessageEndEvent", {
  description: "The message is complete.",
  fields: { messageId },
  example: { messageId: MESSAGE },
});

const reasoningStart = event("REASONING_MESSAGE_START", "ReasoningMessageStartEvent", {
  description: "The model thinks; only for agents that show it. Standard AG-UI clients get REASONING_START before it.",
  fields: {
    messageId,
    role: z.literal("reasoning"),
    stepName: stepName.optional().describe("In a team run: the open step whose reasoning it is."),
  },
  example: { messageId: REASONING, role: "reasoning" },
});

const reasoningContent = event("REASONING_MESSAGE_CONTENT", "ReasoningMessageContentEvent", {
  description: "A piece of the reasoning.",
  fields: { messageId, delta: z.string() },
  example: { messageId: REASONING, delta: "The user wants a definition." },
});

const reasoningEnd = event("REASONING_MESSAGE_END", "ReasoningMessageEndEvent", {
  description: "The reasoning is complete. Standard AG-UI clients get REASONING_END after it.",
  fields: { messageId },
  example: { messageId: REASONING },
});

const toolStart = event("TOOL_CALL_START", "ToolCallStartEvent", {
  description: "The model calls a tool.",
  fields: {
    toolCallId,
    toolCallName: z.string(),
    toolName: z.string().optional().describe("The same as `toolCallName`."),
    parentMessageId: z.string().optional(),
  },
  example: { toolCallId: "call_0", toolCallName: "web_search", toolName: "web_search" },
});

const toolArguments = event("TOOL_CALL_ARGS", "ToolCallArgsEvent", {
  description: "The arguments of the call, as JSON text.",
  fields: { toolCallId, delta: z.string() },
  example: { toolCallId: "call_0", delta: '{"query":"durable execution"}' },
});

const toolEnd = event("TOOL_CALL_END", "ToolCallEndEvent", {
  description: "The tool has returned. Standard AG-UI clients get the result in TOOL_CALL_RESULT instead.",
  fields: {
    toolCallId,
    result: z.string().optional().describe("The result for the model."),
    isError: z.literal(true).optional().describe("The tool failed; `result` says why."),
  },
  example: { toolCallId: "call_0", result: "5 results" },
});

const toolResult = event("TOOL_CALL_RESULT", "ToolCallResultEvent", {
  description: "For standard AG-UI clients only: the result of a call.",
  fields: { messageId, toolCallId, content: z.string(), role: z.literal("tool") },
  example: { messageId: "result_call_0", toolCallId: "call_0", content: "5 results", role: "tool" },
});

const question = event("INTERACTION_REQUEST", "InteractionRequestEvent", {
  description: "The run asks a person and waits.",
  fields: { threadId, ...QUESTION_FIELDS },
  example: {
    threadId: TASK,
    interactionId: "0e7c5a64-2f4b-4c5e-9a37-4b1d7c7e9d10",
    toolCallId: "call_1",
    interactionType: "approval",
    title: "Publish it?",
    description: "",
    timeoutMs: 300_000,
  },
});

const answer = event("INTERACTION_RESPONSE", "InteractionResponseEvent", {
  description: "A person has answered.",
  fields: {
    threadId,
    interactionId: z.string(),
    wizardStepId: z.string().optional(),
    answer: z.record(z.string(), z.unknown()),
  },
  example: { threadId: TASK, interactionId: "0e7c5a64-2f4b-4c5e-9a37-4b1d7c7e9d10", answer: { approved: true } },
});

const noAnswer = event("INTERACTION_TIMEOUT", "InteractionTimeoutEvent", {
  description: "No answer came in time.",
  fields: { threadId, interactionId: z.string() },
  example: { threadId: TASK, interactionId: "0e7c5a64-2f4b-4c5e-9a37-4b1d7c7e9d10" },
});

const custom = event("CUSTOM", "CustomEvent", {
  description:
    "Events without a type in AG-UI: `TOOL_CALL_PROGRESS`, `FILES_SKIPPED`, `model_retry`, `budget_wait`, " +
    "`turns_summarized`, `approval_vote`, `budget_wait_over`, `model_wait`, `model_wait_over`, `run_resumed`; for standard AG-UI clients also the INTERACTION_… events, each as `value`. " +
    "Ignore names that you do not know.",
  fields: { name: z.string(), value: z.record(z.string(), z.unknown()) },
  example: { name: "run_resumed", value: { reason: "crash", from_step: "model:1" } },
});

const usage = z
  .array(
    z.object({
      provider: z.string(),
      model: z.string(),
      inputTokens: z.int(),
      outputTokens: z.int(),
      totalTokens: z.int(),
      reasoningTokens: z.int().optional(),
      cachedInputTokens: z.int().optional(),
      cacheWriteInputTokens: z.int().optional(),
    }),
  )
  .optional()
  .describe("The tokens of the attempt, by model; reasoning and cached tokens are parts of the others.");

const runFinished = event("RUN_FINISHED", "RunFinishedEvent", {
  description: "The run completed; the last event.",
  fields: {
    threadId,
    runId,
    result: z.string().optional(),
    outcome: z
      .looseObject({})
      .optional()
      .describe("For standard AG-UI clients: the interrupts for which the run waits, or that it was cancelled."),
    usage,
  },
  example: { threadId: TASK, runId: TASK, result: "Durable execution resumes work after a crash." },
});

const runError = event("RUN_ERROR", "RunErrorEvent", {
  description: "The run failed or was cancelled; the last event.",
  fields: {
    threadId: threadId.optional(),
    runId: runId.optional(),
    message: z.string(),
    code: z.enum(RUN_ERROR_CODES),
    usage,
  },
  example: { threadId: TASK, runId: TASK, message: "The task was cancelled.", code: "CANCELLED" },
});

/** All events of a run's stream. */
export const streamEvent = z
  .union([
    runStarted,
    stepStarted,
    stepFinished,
    textStart,
    textContent,
    textEnd,
    reasoningStart,
    reasoningContent,
    reasoningEnd,
    toolStart,
    toolArguments,
    toolEnd,
    toolResult,
    question,
    answer,
    noAnswer,
    custom,
    runFinished,
    runError,
  ])
  .meta({
    id: "StreamEvent",
    description:
      "The data of one server-sent event; its `id` resumes the stream as Last-Event-ID. RUN_FINISHED or RUN_ERROR is " +
      "the last one. Ignore types and fields that you do not know.",
    examples: [{ type: "RUN_STARTED", timestamp: AT, threadId: TASK, runId: TASK }],
  });
