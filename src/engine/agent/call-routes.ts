import { setTimeout as sleep } from "node:timers/promises";
import { ModelError } from "#domain/models/model-call.ts";
import { modelKey } from "#domain/runs/step-key.ts";
import type { AgentSnapshot } from "#domain/tasks/run-job.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import { recordLostCall } from "../budgets/lost-call.ts";
import { reserveCall } from "../budgets/reserve-call.ts";
import type { Charge, Reservation } from "../budgets/reserve-call.ts";
import type { Used } from "../budgets/usage-entry.ts";
import { MAX_CLOSED_MS } from "../models/gate/model-gates.ts";
import { MAX_HELD_SLOT_MS, passGate } from "../models/gate/pass-gate.ts";
import { retryPause } from "../models/retry-pause.ts";
import { HeldError } from "../queue/ownership.ts";
import type { ModelRoute, Passed } from "../run/ports.ts";
import type { EngineServices, Run } from "../run/run-context.ts";
import { RunFailure } from "../run/run-failure.ts";
import type { CallRecord } from "./call-record.ts";
import { fieldToChange } from "./field-to-change.ts";
import type { PreparedRequest } from "./prepared-request.ts";
import type { StreamedWords } from "./streamed-words.ts";
import { NOTHING_USED, streamReply } from "./stream-reply.ts";
import type { ModelReply } from "./stream-reply.ts";

/** If a provider asks for a longer pause, in milliseconds, the run uses the next fallback model instead. */
const MAX_PAUSE_MS = 60_000;

/** A model call of a run, which any of the agent's models may answer. */
export interface Turn {
  /** The number of the agent's turn that it belongs to, from 0. */
  readonly turn: number;
  /** Names it among the calls of its run or turn in a team run. */
  readonly name: string;
  /** The record of all its attempts. */
  readonly record: CallRecord;
  /** The fence of an execution that may have died in this call. */
  readonly lostFence?: number | undefined;
  /** Prepares the request for one of the models. */
  prepare(route: ModelRoute): Promise<PreparedRequest>;
  /** Opens what the words of an attempt's reply are streamed into. */
  openWords(): StreamedWords;
}

/** A reply, and how its usage is charged. */
export interface ChargedReply extends Charge {
  readonly reply: ModelReply;
}

/** An attempt without a reply. */
interface FailedAttempt {
  readonly error: unknown;
  /** How often the provider rejected this call because of its limits, in earlier executions too. */
  readonly rejections: number;
}

/**
 * Calls one of the agent's models after another until one replies. Transient errors are retried first.
 * @throws RunFailure when none replies; {@link ModelFailure} if one was called
 */
export async function callRoutes(engine: EngineServices, run: Run, turn: Turn): Promise<ChargedReply> {
  const { workspaceId, agent } = run.job;
  const models = modelsOf(agent);
  let failure: RunFailure | undefined;
  for (const [index, model] of models.entries()) {
    const hasNext = index < models.length - 1;
    const maxPauseMs = hasNext ? MAX_PAUSE_MS : MAX_CLOSED_MS;
    let route: ModelRoute | undefined;
    try {
      route = await engine.providers.route(workspaceId, { provider: agent.provider, model });
      const { gate } = route;
      const isBroken = () => hasNext && engine.gates.isBroken(gate);
      if (isBroken()) throw brokenError();
      for (let attempt = 1; ; attempt++) {
        const made = await callOnce(engine, run, { turn, route, maxPauseMs });
        if ("reply" in made) return made;
        run.signal.throwIfAborted();
        const of = isBroken() ? 0 : engine.limits.modelAttempts;
        const retry = retryOf(made, { attempt, of, maxPauseMs });
        if (retry === undefined) throw made.error;
        turn.record.pause(retry.pause);
        announceRetry(engine, run, { ...retry, step: modelKey(run.turnKey, turn.turn), model });
        // Others wait for the same limit, and this run needs no slot meanwhile.
        if (retry.error.kind === "rate_limit" && retry.pause > MAX_HELD_SLOT_MS) throw new HeldError(retry.pause);
        await sleep(retry.pause, undefined, { signal: run.signal });
      }
    } catch (error) {
      run.signal.throwIfAborted();
      failure = asFailure(error, { route, agent });
      if (failure.code === "BUDGET_EXCEEDED") throw failure;
    }
  }
  throw failure ?? new RunFailure("INTERNAL_ERROR", "The agent has no model.");
}

/** Makes one attempt of a model call when its rate limit and the budgets allow it, and records it. */
async function callOnce(
  engine: EngineServices,
  run: Run,
  { turn, route, maxPauseMs }: { readonly turn: Turn; readonly route: ModelRoute; readonly maxPauseMs: number },
): Promise<ChargedReply | FailedAttempt> {
  const { turn: number, name, record, lostFence } = turn;
  let passed: Passed | undefined;
  let reservation: Reservation | undefined;
  record.begin(route.model);
  try {
    const prepared = await turn.prepare(route);
    const planned = { turn: number, name, route, request: prepared.request };
    if (lostFence !== undefined) await recordLostCall(engine, run, { ...planned, lostFence });
    passed = await passGate(engine, run, { ...planned, maxClosedMs: maxPauseMs });
    const reserved = (reservation = await reserveCall(engine, run, planned));
    const { maxTokens = prepared.request.maxTokens } = reserved;
    const request = { ...prepared.request, ...(maxTokens !== undefined && { maxTokens }) };
    record.sent(route.model, request);
    const reply = await streamReply(engine, run, {
      ...prepared,
      route,
      request: { ...request, onHeaders: passed.answered },
      words: turn.openWords(),
      onBegin() {
        record.answering();
        reserved.begin();
      },
    });
    const charge = await reserved.settle(reply.usage);
    await passed.ended();
    record.end();
    return { reply, ...charge };
  } catch (error) {
    record.end(error);
    await allSettledOrThrow([reservation?.interrupt(error), passed?.ended(error)]);
    return { error, rejections: passed?.rejections ?? 0 };
  }
}

/** The models to call: the agent's model, then its fallback models in their order. */
function modelsOf({ model, fallback_model: first, fallback_models: all }: AgentSnapshot): readonly string[] {
  return [model, ...(all ?? (first === null ? [] : [first]))];
}

function brokenError(): ModelError {
  return new ModelError("unavailable", "it failed three times in a row, and is not called for a minute");
}

/** A retry after a pause, in milliseconds. */
interface Retry {
  readonly attempt: number;
  readonly pause: number;
  readonly error: ModelError;
}

/** How a failed attempt is retried; undefined when it is not. @param of the maximum number of attempts */
function retryOf(
  { error, rejections }: FailedAttempt,
  { attempt, of, maxPauseMs }: { readonly attempt: number; readonly of: number; readonly maxPauseMs: number },
): Retry | undefined {
  if (!(error instanceof ModelError) || !error.isTransient) return undefined;
  const made = error.kind === "rate_limit" ? Math.max(attempt, rejections + 1) : attempt;
  if (made >= of || (error.retryAfterMs ?? 0) > maxPauseMs) return undefined;
  return { attempt, pause: retryPause(attempt, error), error };
}

/** Informs the log and stream readers that the call is retried after a pause. */
function announceRetry(
  { limits, log }: EngineServices,
  run: Run,
  { step, model, attempt, pause, error }: Retry & { readonly step: string; readonly model: string },
): void {
  log.info({ subjectId: run.key.subjectId, model, attempt, pause, err: error }, "model call failed");
  const value = {
    step,
    model,
    try: attempt + 1,
    of: limits.modelAttempts,
    message: error.message,
    retry_in_ms: Math.round(pause),
  };
  // An execution that has lost its job finds out when it records the step.
  run.emit({ type: "CUSTOM", name: "model_retry", value }).catch(() => undefined);
}

/** All models were called and none answered. */
export class ModelFailure extends RunFailure {
  readonly used: Used;
  /** Whether the provider rejected the key. */
  readonly isKeyRejected: boolean;

  constructor({ provider, model, billing }: ModelRoute, error: ModelError, agent: AgentSnapshot) {
    const advice = error.kind === "request" ? fieldToChange(agent, error.message) : undefined;
    const reason = advice === undefined ? error.message : `${error.message.replace(/\.?$/, ".")} ${advice}`;
    super("MODEL_ERROR", `The model ${model} failed: ${reason}`);
    this.isKeyRejected = error.kind === "auth";
    this.used = { provider, model, billing, usage: NOTHING_USED };
  }
}

interface FailedRoute {
  /** Undefined when none was found. */
  readonly route: ModelRoute | undefined;
  readonly agent: AgentSnapshot;
}

function asFailure(error: unknown, { route, agent }: FailedRoute): RunFailure {
  if (error instanceof RunFailure) return error;
  if (error instanceof ModelError && route !== undefined) return new ModelFailure(route, error, agent);
  throw error;
}
