import { z } from "zod";
import { invalidResult } from "#domain/agents/json-result.ts";
import { replyCalls } from "#domain/models/reply-parts.ts";
import { failureFacts } from "#domain/runs/step-facts.ts";
import type { RequestLog } from "#domain/runs/sent-request.ts";
import type { OpenQuestion } from "../run/ask-person.ts";
import type { EngineServices, Run } from "../run/run-context.ts";
import { streamWords } from "./streamed-words.ts";
import { createCallRecord } from "./call-record.ts";
import { replyIssues } from "./check-result.ts";
import { failedCall, paidStep } from "./paid-step.ts";
import { requestOf } from "./request-of.ts";
import type { AskedTurn } from "./request-of.ts";
import { modelReply } from "./stream-reply.ts";
import type { ModelReply } from "./stream-reply.ts";

/** One turn of the conversation. */
export interface AgentTurn extends AskedTurn {
  /** The turn's number, from 0; part of the step key. */
  readonly turn: number;
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
export async function callModel(
  engine: EngineServices,
  run: Run,
  asked: AgentTurn,
): Promise<ModelReply | OpenQuestion> {
  const { turn, isLastTry, requests } = asked;
  const made = await paidStep(engine, run, {
    turn,
    name: `model:${turn}`,
    schema: outcome,
    record: createCallRecord(engine.recording, turn, requests),
    prepare: (route) => requestOf(engine, run, { ...asked, route }),
    openWords: () => streamWords(run),
    async conclude(reply) {
      const issues = await replyIssues(engine, run.job, reply);
      if (issues.length > 0 && isLastTry) {
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
