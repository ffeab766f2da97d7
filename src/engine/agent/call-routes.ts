import { ModelError } from "#domain/models/model-call.ts";
import type { ModelRequest } from "#domain/models/model-call.ts";
import { estimatePromptTokens } from "#domain/models/prompt-tokens.ts";
import type { OutgoingRequest } from "#domain/runs/sent-request.ts";
import { modelKey } from "#domain/runs/step-key.ts";
import type { AgentSnapshot } from "#domain/tasks/run-job.ts";
import { MAX_CLOSED_MS } from "../models/gate/model-gates.ts";
import { MAX_HELD_SLOT_MS, throughGate } from "../models/gate/through-gate.ts";
import { HeldError } from "../queue/ownership.ts";
import type { EngineServices, Run } from "../run/run-context.ts";
import { RunFailure } from "../run/run-failure.ts";
import type { StreamedWords } from "./streamed-words.ts";
import type { Used } from "../budgets/usage-entry.ts";
import { recordLostCall } from "../budgets/lost-call.ts";
import { withinBudgets } from "../budgets/within-budgets.ts";
import type { CallTerms, ReservedReply } from "../budgets/within-budgets.ts";
import type { CallRecord } from "./call-record.ts";
import type { PreparedRequest } from "./prepared-request.ts";
import { retryTransient } from "./retry-transient.ts";
import type { FailedAttempt } from "./retry-transient.ts";
import { NOTHING_USED, streamReply } from "./stream-reply.ts";
import type { ModelReply } from "./stream-reply.ts";
import type { ModelRoute, Passed } from "../run/ports.ts";

/** If a provider asks for a longer pause, in milliseconds, the run uses the next fallback model instead. */
const MAX_PAUSE_MS = 60_000;

/** A call that any of the agent's models may answer. */
export interface AgentCall {
  /** The number of the turn that it belongs to, from 0. */
  readonly turn: number;
  /** Names it among the calls of its run or turn in a team run. */
  readonly name: string;
  /** Prepares the request for one of the models. */
  readonly prepare: (route: ModelRoute) => Promise<PreparedRequest>;
  /** Opens what the words of a try's reply are streamed into. */
  readonly openWords: () => StreamedWords;
}

/** A call in progress, with its record. */
export interface RecordedCall extends AgentCall {
  readonly record: CallRecord;
  /** The fence of an execution that may have died in this call. */
  readonly lostFence?: number | undefined;
}

/**
 * Calls one of the agent's models after another until one replies. Transient errors are retried first.
 * @throws RunFailure when none replies; {@link ModelFailure} if one was called
 */
export async function callRoutes(
  engine: EngineServices,
  run: Run,
  call: RecordedCall,
): Promise<ReservedReply<ModelReply>> {
  const { workspaceId, agent } = run.job;
  let failure: RunFailure | undefined;
  const models = modelsOf(agent);
  for (const [index, model] of models.entries()) {
    let route: ModelRoute | undefined;
    let rejections = 0;
    const hasNext = index < models.length - 1;
    const maxPauseMs = hasNext ? MAX_PAUSE_MS : MAX_CLOSED_MS;
    try {
      const known = (route = await engine.providers.route(workspaceId, { provider: agent.provider, model }));
      const isBroken = () => hasNext && engine.gates.isBroken(known.gate);
      if (isBroken()) throw brokenError();
      const onPass = (passed: Passed) => (rejections = passed.rejections);
      return await retryTransient(() => callOnce(engine, run, { ...call, route: known, maxPauseMs, onPass }), {
        attempts: engine.limits.modelAttempts,
        attemptsOf(attempt, { kind }) {
          if (isBroken()) return Infinity;
          return kind === "rate_limit" ? Math.max(attempt, rejections + 1) : attempt;
        },
        maxPauseMs,
        signal: run.signal,
        onFailure: ({ error, ...failed }) => {
          engine.log.info({ subjectId: run.key.subjectId, model, ...failed, err: error }, "model call failed");
          call.record.pause(failed.pause);
          announceRetry(engine, run, { step: modelKey(run.turnKey, call.turn), model, error, ...failed });
          // Others wait for the same limit, and this run needs no slot meanwhile.
          if (error.kind === "rate_limit" && failed.pause > MAX_HELD_SLOT_MS) throw new HeldError(failed.pause);
        },
      });
    } catch (error) {
      run.signal.throwIfAborted();
      failure = asFailure(error, route);
      if (failure.code === "BUDGET_EXCEEDED") throw failure;
    }
  }
  throw failure ?? new RunFailure("INTERNAL_ERROR", "The agent has no model.");
}

/** The models to call: the agent's model, then its fallback models in their order. */
function modelsOf({ model, fallback_model: first, fallback_models: all }: AgentSnapshot): readonly string[] {
  return [model, ...(all ?? (first === null ? [] : [first]))];
}

function brokenError(): ModelError {
  return new ModelError("unavailable", "it failed three times in a row, and is not called for a minute");
}

/** Informs stream readers that the call is retried after a pause. */
function announceRetry(
  { limits }: EngineServices,
  run: Run,
  { step, model, attempt, pause, error }: FailedAttempt & { readonly step: string; readonly model: string },
): void {
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

interface RoutedCall extends RecordedCall {
  readonly route: ModelRoute;
  readonly maxPauseMs: number;
  readonly onPass: (passed: Passed) => void;
}

/** Makes one attempt of a model call, if the budgets allow it, and records the result. */
async function callOnce(engine: EngineServices, run: Run, call: RoutedCall): Promise<ReservedReply<ModelReply>> {
  const { route, maxPauseMs, record } = call;
  record.begin(route.model);
  try {
    const prepared = await call.prepare(route);
    const tokens = () =>
      estimatePromptTokens(prepared.request, engine.limits.budgetBytesPerToken) + (run.job.agent.max_tokens ?? 0);
    if (call.lostFence !== undefined) {
      const lost = { ...call, request: prepared.request, lostFence: call.lostFence };
      await recordLostCall(engine, run, lost);
    }
    const gated = { route, step: modelKey(run.turnKey, call.turn), tokens, maxClosedMs: maxPauseMs };
    const paid = await throughGate(engine, run, gated, (passed) => {
      call.onPass(passed);
      return callWithinBudgets(engine, run, { ...call, prepared, onHeaders: passed.answered });
    });
    record.end();
    return paid;
  } catch (error) {
    record.end(error);
    throw error;
  }
}

interface PreparedCall extends RoutedCall, Pick<ModelRequest, "onHeaders"> {
  readonly prepared: PreparedRequest;
}

async function callWithinBudgets(
  engine: EngineServices,
  run: Run,
  { route, turn, name, record, openWords, onHeaders, prepared: { request, asked, notes } }: PreparedCall,
): Promise<ReservedReply<ModelReply>> {
  const make = async ({ maxTokens = request.maxTokens, onBegin }: CallTerms) => {
    const limited = { ...request, ...(maxTokens !== undefined && { maxTokens }) };
    record.sent({ ...limited, parameters: parametersOf(route, limited) });
    const reply = await observed(engine, run, route.provider, () =>
      streamReply(engine, run, {
        route,
        request: { ...limited, onHeaders },
        words: openWords(),
        onBegin() {
          record.answering();
          onBegin?.();
        },
      }),
    );
    return { ...reply, ...(isBound(reply) && { asked }), ...withNotes([...notes, ...(reply.notes ?? [])]) };
  };
  return withinBudgets(engine, run, { turn, name, route, request, make });
}

/** Whether parts of a reply have data that the provider accepts back only after the same request. */
function isBound({ parts }: ModelReply): boolean {
  return parts.some((part) => ("call" in part ? part.call : part).providerData !== undefined);
}

function withNotes(notes: readonly string[]): Pick<ModelReply, "notes"> {
  return notes.length === 0 ? {} : { notes };
}

/** Counts a provider call by its outcome. One that a cancel or a shutdown aborts says nothing about the provider. */
async function observed<T>(
  { observe }: EngineServices,
  { signal }: Run,
  provider: string,
  call: () => Promise<T>,
): Promise<T> {
  const begun = performance.now();
  let outcome = "error";
  try {
    const reply = await call();
    outcome = "ok";
    return reply;
  } catch (error) {
    if (signal.aborted) outcome = "aborted";
    else if (error instanceof ModelError) outcome = error.kind;
    throw error;
  } finally {
    observe({ type: "provider_call", provider, outcome, durationMs: performance.now() - begun });
  }
}

function parametersOf(
  { model }: ModelRoute,
  { temperature, maxTokens, effort, toolChoice }: Omit<ModelRequest, "model" | "signal">,
): OutgoingRequest["parameters"] {
  return {
    model,
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(effort !== undefined && { effort }),
    ...(toolChoice !== undefined && toolChoice !== "auto" && { toolChoice }),
  };
}

/** All models were called and none answered. */
export class ModelFailure extends RunFailure {
  readonly used: Used;
  /** Whether the provider rejected the key. */
  readonly isKeyRejected: boolean;

  constructor({ provider, model, billing }: ModelRoute, error: ModelError) {
    super("MODEL_ERROR", `The model ${model} failed: ${error.message}`);
    this.isKeyRejected = error.kind === "auth";
    this.used = { provider, model, billing, usage: NOTHING_USED };
  }
}

function asFailure(error: unknown, route: ModelRoute | undefined): RunFailure {
  if (error instanceof RunFailure) return error;
  if (error instanceof ModelError && route !== undefined) return new ModelFailure(route, error);
  throw error;
}
