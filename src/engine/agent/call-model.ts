import { z } from "zod";
import { invalidResult } from "#domain/agents/json-result.ts";
import type { ModelMessage } from "#domain/models/model-call.ts";
import { replyCalls } from "#domain/models/reply-parts.ts";
import { failureFacts } from "#domain/runs/step-facts.ts";
import type { RequestLog } from "#domain/runs/sent-request.ts";
import type { ClientTools } from "#domain/tools/client-tools.ts";
import type { OpenQuestion } from "../run/ask-person.ts";
import type { EngineServices, Run } from "../run/run-context.ts";
import { streamWords } from "./streamed-words.ts";
import { replyIssues } from "./check-result.ts";
import { failedCall, paidStep } from "./paid-step.ts";
import { requestOf } from "./request-of.ts";
import { modelReply } from "./stream-reply.ts";
import type { ModelReply } from "./stream-reply.ts";

/** One turn of the conversation. */
export interface Turn {
  /** The turn's number, from 0; part of the step key. */
  readonly turn: number;
  readonly messages: readonly ModelMessage[];
  /** What the client offers for this call, such as tools. */
  readonly client: Pick<ClientTools, "tools" | "choice">;
  /** Whether the model can read more of stored results. */
  readonly canRead: boolean;
  /** The maximum length of the reply in tokens, in place of the agent's. */
  readonly maxTokens?: number | undefined;
  /** Whether the reply must satisfy the agent's output schema, because no other call can repair it. */
  readonly isLastTry: boolean;
  /** The requests of the earlier calls of this execution. */
  readonly requests: RequestLog;
}

const outcome = z.discriminatedUnion("ok", [z.object({ ok: z.literal(true), reply: modelReply }), failedCall]);

/**
 * Calls the model as one recorded step and streams its reply. Transient errors are retried, then the agent's fallback
 * models are called in their order. If a call would exceed a budget that asks a person, returns that question.
 * @throws RunFailure with the provider's message when no model answers; `OUTPUT_INVALID` when the final reply does not
 * satisfy the agent's output schema
 */
export async function callModel(engine: EngineServices, run: Run, turn: Turn): Promise<ModelReply | OpenQuestion> {
  const made = await paidStep(engine, run, {
    ...turn,
    name: `model:${turn.turn}`,
    schema: outcome,
    prepare: (route) => requestOf(engine, run, { ...turn, route }),
    openWords: () => streamWords(run),
    async conclude(reply) {
      const issues = await replyIssues(engine, run.job, reply);
      if (issues.length > 0 && turn.isLastTry) {
        const code = "OUTPUT_INVALID";
        const message = invalidResult(reply.model, issues);
        return { value: { ok: false, code, message }, facts: failureFacts(code, message) };
      }
      const isLast = replyCalls(reply.parts).length === 0 && issues.length === 0;
      return {
        value: { ok: true, reply: { ...reply, ...(issues.length > 0 && { issues }) } },
        ...(isLast && { facts: { isLast } }),
      };
    },
  });
  return "question" in made ? made : made.reply;
}
