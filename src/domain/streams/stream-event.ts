import type { FinishReason } from "../models/reply-parts.ts";
import type { Answer } from "../tasks/answer.ts";
import type { InteractionRequest } from "../tasks/interaction-request.ts";

/** The common field of events: the time in Unix milliseconds, always the last field of the JSON. */
interface Timestamped {
  readonly timestamp: number;
  /** In the log of a team run: the agent of the text or call. */
  readonly agentId?: string;
}

/**
 * The events of a run's stream, with AG-UI's names. Where clients use different field names, an event has both (`delta`
 * and `content`, `toolCallName` and `toolName`). Fields without a value are omitted, never null.
 */
export type StreamEvent = Timestamped &
  (
    | { readonly type: "RUN_STARTED"; readonly threadId: string; readonly runId: string }
    | { readonly type: "STEP_STARTED"; readonly stepName: string }
    | {
        readonly type: "STEP_FINISHED";
        readonly stepName: string;
        /** The tokens and cost of the step's model calls; absent when it has no result. */
        readonly tokensUsed?: number;
        readonly costUsd?: number;
        /** Why it has no result; `CANCELLED` when the run no longer needed it. */
        readonly code?: RunErrorCode;
      }
    | {
        readonly type: "TEXT_MESSAGE_START";
        readonly messageId: string;
        readonly role: "assistant";
        /** In the log of a team run: the step of the text, as in its STEP_STARTED. An agent may have several at once. */
        readonly stepName?: string;
      }
    | {
        readonly type: "TEXT_MESSAGE_CONTENT";
        readonly messageId: string;
        readonly delta: string;
        readonly content: string;
      }
    | { readonly type: "TEXT_MESSAGE_END"; readonly messageId: string }
    | {
        /** What the model thinks, for agents that show it. */
        readonly type: "REASONING_MESSAGE_START";
        readonly messageId: string;
        readonly role: "reasoning";
        /** In the log of a team run, as in TEXT_MESSAGE_START. */
        readonly stepName?: string;
      }
    | { readonly type: "REASONING_MESSAGE_CONTENT"; readonly messageId: string; readonly delta: string }
    | { readonly type: "REASONING_MESSAGE_END"; readonly messageId: string }
    | {
        readonly type: "TOOL_CALL_START";
        readonly toolCallId: string;
        readonly toolCallName: string;
        readonly toolName: string;
        readonly parentMessageId?: string;
      }
    | { readonly type: "TOOL_CALL_ARGS"; readonly toolCallId: string; readonly delta: string }
    | {
        /** AG-UI's event for data without an event type of its own. */
        readonly type: "CUSTOM";
        readonly name: "TOOL_CALL_PROGRESS";
        /** The progress of a tool call since the previous event. */
        readonly value: { readonly toolCallId: string; readonly delta: string };
      }
    | {
        readonly type: "CUSTOM";
        readonly name: "FILES_SKIPPED";
        /** Why the files in the result are not stored. */
        readonly value: { readonly message: string };
      }
    | {
        readonly type: "CUSTOM";
        readonly name: "approval_vote";
        /** A person voted on a question that a rule asks; the votes so far, this one included. */
        readonly value: {
          readonly interactionId: string;
          /** The person's name. */
          readonly by: string;
          readonly approved: boolean;
          readonly approvals: number;
          readonly denials: number;
          readonly need: number;
        };
      }
    | {
        readonly type: "CUSTOM";
        readonly name: "turns_summarized";
        /** The older turns of an agent's conversation were replaced by a summary, which a step records. */
        readonly value: { readonly step: string; readonly message: string };
      }
    | {
        readonly type: "CUSTOM";
        readonly name: "model_retry";
        /**
         * A model call failed and will be retried: the number of the next try, the maximum, and the pause before it.
         */
        readonly value: {
          /** The key of the step that will record the call. */
          readonly step: string;
          readonly model: string;
          readonly try: number;
          readonly of: number;
          readonly message: string;
          readonly retry_in_ms: number;
        };
      }
    | {
        readonly type: "CUSTOM";
        readonly name: "budget_wait";
        /** A model call waits: calls in progress have reserved what it needs. `message` names the budget. */
        readonly value: {
          /** The key of the step that will record the call. */
          readonly step: string;
          readonly model: string;
          readonly budget_id: string;
          readonly message: string;
        };
      }
    | {
        readonly type: "CUSTOM";
        readonly name: "budget_wait_over";
        /** The call no longer waits. Missing when the process died; then `run_resumed` follows. */
        readonly value: { readonly step: string };
      }
    | {
        readonly type: "CUSTOM";
        readonly name: "model_wait";
        /** A model call waits for its provider's rate limit; `message` says why, and until when. */
        readonly value: {
          /** The key of the step that will record the call. */
          readonly step: string;
          readonly provider: string;
          readonly model: string;
          /** `closed` after a rejection by the provider; `limit` while other calls use up the limit. */
          readonly reason: "closed" | "limit";
          /** ISO 8601; about, since calls of other workspaces pass in turn. */
          readonly until: string;
          readonly message: string;
        };
      }
    | {
        readonly type: "CUSTOM";
        readonly name: "model_wait_over";
        /** The call no longer waits. */
        readonly value: { readonly step: string };
      }
    | {
        readonly type: "CUSTOM";
        readonly name: "run_resumed";
        /** Another execution continues the attempt, after the newest finished step; null when there is none. */
        readonly value: { readonly reason: "crash" | "handover"; readonly from_step: string | null };
      }
    | {
        readonly type: "TOOL_CALL_END";
        readonly toolCallId: string;
        readonly result: string;
        /** Present when the tool failed; the result has the reason. */
        readonly isError?: true;
      }
    | ({ readonly type: "INTERACTION_REQUEST"; readonly threadId: string } & InteractionRequest)
    | {
        readonly type: "INTERACTION_RESPONSE";
        readonly threadId: string;
        readonly interactionId: string;
        readonly wizardStepId?: string;
        readonly answer: Answer;
      }
    | { readonly type: "INTERACTION_TIMEOUT"; readonly threadId: string; readonly interactionId: string }
    | {
        readonly type: "RUN_FINISHED";
        readonly threadId: string;
        readonly runId: string;
        readonly result: string;
        /** Why the last reply ended, if it did not end by itself: its text may be incomplete. */
        readonly finishReason?: FinishReason;
        readonly usage?: readonly EventUsage[];
      }
    | {
        readonly type: "RUN_ERROR";
        readonly threadId: string;
        readonly runId: string;
        readonly message: string;
        readonly code: RunErrorCode;
        readonly usage?: readonly EventUsage[];
      }
  );

/** The tokens of a run's calls of one model, with AG-UI's names; the cached and reasoning ones are parts of the others. */
export interface EventUsage {
  readonly provider: string;
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  readonly reasoningTokens?: number;
  readonly cachedInputTokens?: number;
  readonly cacheWriteInputTokens?: number;
}

/** Why a run ended without a result. */
export const RUN_ERROR_CODES = [
  "BUDGET_EXCEEDED",
  "CANCELLED",
  "CRASH_LOOP",
  "DIVERGED",
  "FILE_UNAVAILABLE",
  "HANDOFF_REFUSED",
  "INTERACTION_TIMEOUT",
  "MODEL_ERROR",
  "MODEL_REFUSED",
  "OUTPUT_INVALID",
  "PROVIDER_NOT_CONFIGURED",
  "REPLY_CUT",
  "RUN_TIMEOUT",
  "STEP_LIMIT",
  "TASK_TIMEOUT",
  "TEAM_NOT_RUNNABLE",
  "TOOL_LOOP",
  "INTERNAL_ERROR",
] as const;

/** One of {@link RUN_ERROR_CODES}. */
export type RunErrorCode = (typeof RUN_ERROR_CODES)[number];

/** The field of RUN_FINISHED that says why the last reply ended; none after a complete one. */
export function unlessStopped(reason: FinishReason): { readonly finishReason?: FinishReason } {
  return reason === "stop" ? {} : { finishReason: reason };
}

/** Returns the id of a task's attempt in the stream: the first one has the task's id. */
export function runIdOf(taskId: string, attempt: number): string {
  return attempt === 1 ? taskId : `${taskId}.${attempt}`;
}

type WithoutTimestamp<E> = E extends Timestamped ? Omit<E, "timestamp"> : never;

/** Adds the time to an event. */
export function addTimestamp(event: WithoutTimestamp<StreamEvent>, now: Date): StreamEvent {
  return { ...event, timestamp: now.getTime() };
}

const MILLISECONDS_AT_END = /^("timestamp":\d{1,15})\d{3}\}$/;

/** Returns the JSON of an event with its time in whole Unix seconds, for readers that expect them. */
export function withTimestampInSeconds(text: string): string {
  // Searched from the end: tool results may be long.
  const at = text.lastIndexOf('"timestamp":');
  return at === -1 ? text : text.slice(0, at) + text.slice(at).replace(MILLISECONDS_AT_END, "$1}");
}

/** A message, reasoning or tool call that was started and not ended. */
export interface OpenPart {
  readonly kind: "message" | "reasoning" | "tool";
  readonly id: string;
}

/** Returns the events that end all open parts, so that a run never ends inside a message. */
export function closeParts(parts: readonly OpenPart[], reason: string, now: Date): StreamEvent[] {
  return parts.map(({ kind, id }) => {
    if (kind === "tool") return addTimestamp({ type: "TOOL_CALL_END", toolCallId: id, result: reason }, now);
    return addTimestamp({ type: END_OF[kind], messageId: id }, now);
  });
}

const END_OF = { message: "TEXT_MESSAGE_END", reasoning: "REASONING_MESSAGE_END" } as const;
