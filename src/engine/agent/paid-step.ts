import { z } from "zod";
import { failureFacts } from "#domain/runs/step-facts.ts";
import type { StepFacts } from "#domain/runs/step-facts.ts";
import { RUN_ERROR_CODES } from "#domain/streams/stream-event.ts";
import { BudgetQuestion } from "../budgets/budget-breach.ts";
import { usageEntry } from "../budgets/usage-entry.ts";
import type { OpenQuestion } from "../run/ask-person.ts";
import type { EngineServices, Run } from "../run/run-context.ts";
import { RunFailure } from "../run/run-failure.ts";
import type { StepResult } from "../run/step-journal.ts";
import { ModelFailure, callRoutes } from "./call-routes.ts";
import type { Turn } from "./call-routes.ts";
import type { ModelReply } from "./stream-reply.ts";

/** The schema of the record of a call that no model answered, or whose reply is of no use. */
export const failedCall = z.object({ ok: z.literal(false), code: z.enum(RUN_ERROR_CODES), message: z.string() });

/** See {@link failedCall}. */
export type FailedCall = z.output<typeof failedCall>;

/** A model call to make as one recorded step. */
export interface PaidTurn<T> extends Turn {
  /** The schema of what the step records. */
  readonly schema: z.ZodType<T | FailedCall>;
  /** Judges the reply: what to record of it. */
  conclude(reply: ModelReply): Promise<{ readonly value: T | FailedCall; readonly facts?: StepFacts }>;
}

/**
 * Makes a model call as one recorded step with its usage; its name is the step's key. If it would exceed a budget that
 * asks a person, returns that question.
 * @throws RunFailure with the provider's message when no model answers, or as the call's `conclude` says
 */
export async function paidStep<T extends { readonly ok: true }>(
  engine: EngineServices,
  run: Run,
  turn: PaidTurn<T>,
): Promise<T | OpenQuestion> {
  const asked = run.step(turn.name, turn.schema, (lostFence) => makeCall(engine, run, { ...turn, lostFence }));
  // A step that waits for a person is not recorded; it runs again with the answer.
  const answered = await asked.catch((error: unknown) => {
    if (error instanceof BudgetQuestion) return error.open;
    throw error;
  });
  if ("question" in answered || answered.ok) return answered;
  throw new RunFailure(answered.code, answered.message);
}

async function makeCall<T>(engine: EngineServices, run: Run, turn: PaidTurn<T>): Promise<StepResult<T | FailedCall>> {
  const { turn: number, record } = turn;
  try {
    const { reply, reservation, reserved, worst } = await callRoutes(engine, run, turn);
    const usage = usageEntry(engine, run, { ...reply, turn: number, reservation, worst });
    const { value, facts } = await turn.conclude(reply);
    return {
      value,
      usage,
      // The checks of a golden run follow its last call.
      isLast: run.turnKey === undefined && run.job.golden == null && facts?.isLast === true,
      record: record.toRecord({
        ...(reply.messageId && { messageId: reply.messageId }),
        ...(reply.end.reason !== "stop" && { finish: reply.end.reason }),
        ...(reply.notes && { notes: reply.notes.length }),
        ...(reserved && { reserved }),
        ...facts,
      }),
    };
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    const { code, message } = error;
    const called = error instanceof ModelFailure ? error : undefined;
    return {
      value: { ok: false, code, message },
      usage: called && usageEntry(engine, run, { ...called.used, turn: number }),
      record: record.toRecord({
        ...failureFacts(code, message),
        ...(called?.isKeyRejected === true && { rejectedBy: called.used.provider }),
      }),
    };
  }
}
