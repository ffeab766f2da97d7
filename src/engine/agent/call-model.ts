import { z } from "zod";
import { invalidResult } from "#domain/agents/json-result.ts";
import { ModelError } from "#domain/models/model-call.ts";
import { estimatePromptTokens } from "#domain/models/prompt-tokens.ts";
import { replyCalls } from "#domain/models/reply-parts.ts";
import type { ModelMessage, ModelRequest } from "#domain/models/model-call.ts";
import type { OutgoingRequest, RequestLog } from "#domain/runs/sent-request.ts";
import type { StepFacts } from "#domain/runs/step-facts.ts";
import { modelKey } from "#domain/runs/step-key.ts";
import type { AgentSnapshot } from "#domain/tasks/run-job.ts";
import { RUN_ERROR_CODES } from "#domain/streams/stream-event.ts";
import type { ClientTools } from "#domain/tools/client-tools.ts";
import type { OpenQuestion } from "../run/ask-person.ts";
import { BudgetQuestion } from "../budgets/budget-breach.ts";
import { MAX_HELD_SLOT_MS, throughGate } from "../models/gate/through-gate.ts";
import { MAX_CLOSED_MS } from "../models/gate/model-gates.ts";
import type { Passed } from "../models/gate/model-gates.ts";
import type { GatedCall } from "../models/gate/through-gate.ts";
import type { ModelRoute } from "../models/provider-directory.ts";
import type { EngineServices, Run } from "../run/run-context.ts";
import type { StepRecord, StepResult } from "../run/step-journal.ts";
import { createCallRecord } from "./call-record.ts";
import type { CallRecord } from "./call-record.ts";
import { retryTransient } from "./retry-transient.ts";
import type { FailedAttempt } from "./retry-transient.ts";
import { HeldError } from "../queue/ownership.ts";
import { RunFailure } from "../run/run-failure.ts";
import { NOTHING_USED, modelReply, streamReply } from "./stream-reply.ts";
import type { ModelReply } from "./stream-reply.ts";
import { replyIssues } from "./check-result.ts";
import { requestOf } from "./request-of.ts";
import { usageEntry } from "../budgets/usage-entry.ts";
import type { Used } from "../budgets/usage-entry.ts";
import { withinBudgets } from "../budgets/within-budgets.ts";
import type { CallTerms, ReservedReply } from "../budgets/within-budgets.ts";

/** If a provider asks for a longer pause, in milliseconds, the run uses the next fallback model instead. */
const MAX_PAUSE_MS = 60_000;

/** One turn of the conversation. */
export interface Turn {
  /** The turn's number, from 0; part of the step key. */
  readonly turn: number;
  readonly messages: readonly ModelMessage[];
  /** What the client offers for this call, such as tools. */
  readonly client: Pick<ClientTools, "tools" | "choice">;
  /** The maximum length of the reply in tokens, in place of the agent's. */
  readonly maxTokens?: number | undefined;
  /** Whether the reply must satisfy the agent's output schema, because no other call can repair it. */
  readonly isLastTry: boolean;
  /** The usage of the earlier calls of this execution. */
  readonly requests: RequestLog;
}

const outcome = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), reply: modelReply }),
  z.object({ ok: z.literal(false), code: z.enum(RUN_ERROR_CODES), message: z.string() }),
]);

type Outcome = z.output<typeof outcome>;

/**
 * Calls the model as one recorded step and streams its reply. Transient errors are retried, then the agent's fallback
 * models are called in their order. If a call would exceed a budget that asks a person, returns that question.
 * @throws RunFailure with the provider's message when no model answers; `OUTPUT_INVALID` when the final reply does not
 * satisfy the agent's output schema
 */
export async function callModel(engine: EngineServices, run: Run, turn: Turn): Promise<ModelReply | OpenQuestion> {
  const asked = run.step(`model:${turn.turn}`, outcome, async (): Promise<StepResult<Outcome>> => {
    const call = createCallRecord(engine.recording);
    const recordWith = (facts: StepFacts): StepRecord => {
      const record = call.toRecord(turn.turn, turn.requests);
      return { ...record, facts: { ...record.facts, ...facts } };
    };
    try {
      const { reply, reservation, reserved } = await callRoutes(engine, run, { ...turn, call });
      const usage = usageEntry(engine, run, { ...reply, ...turn, reservation });
      const issues = await replyIssues(engine, run.job, reply);
      if (issues.length > 0 && turn.isLastTry) {
        const code = "OUTPUT_INVALID";
        const value = { ok: false, code, message: invalidResult(reply.model, issues) } as const;
        return { value, usage, record: recordWith({ error: code }) };
      }
      const isLast = replyCalls(reply.parts).length === 0 && issues.length === 0;
      return {
        value: { ok: true, reply: { ...reply, ...(issues.length > 0 && { issues }) } },
        usage,
        isLast: run.turnKey === undefined && isLast,
        record: recordWith({
          ...(isLast && { isLast }),
          ...(reply.messageId && { messageId: reply.messageId }),
          ...(reply.end.reason !== "stop" && { finish: reply.end.reason }),
          ...(reply.notes && { notes: reply.notes.length }),
          ...(reserved && { reserved }),
        }),
      };
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error;
      const { code, message } = error;
      const usage = error instanceof ModelFailure ? usageEntry(engine, run, { ...error.used, ...turn }) : undefined;
      return { value: { ok: false, code, message }, usage, record: recordWith({ error: code }) };
    }
  });
  // A step that waits for a person is not recorded; it runs again with the answer.
  const answered = await asked.catch((error: unknown) => {
    if (error instanceof BudgetQuestion) return error.open;
    throw error;
  });
  if ("question" in answered) return answered;
  if (!answered.ok) throw new RunFailure(answered.code, answered.message);
  return answered.reply;
}

/** The models to call: the agent's model, then its fallback models in their order. */
function modelsOf({ model, fallback_model: first, fallback_models: all }: AgentSnapshot): readonly string[] {
  return [model, ...(all ?? (first === null ? [] : [first]))];
}

/** A turn whose model call is in progress. */
interface RecordedTurn extends Turn {
  readonly call: CallRecord;
}

/** Calls one model after another until one replies. */
async function callRoutes(engine: EngineServices, run: Run, turn: RecordedTurn): Promise<ReservedReply<ModelReply>> {
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
      return await retryTransient(() => callOnce(engine, run, { ...turn, route: known, maxPauseMs, onPass }), {
        attempts: engine.limits.modelAttempts,
        attemptsOf(attempt, { kind }) {
          if (isBroken()) return Infinity;
          return kind === "rate_limit" ? Math.max(attempt, rejections + 1) : attempt;
        },
        maxPauseMs,
        signal: run.signal,
        onFailure: ({ error, ...failed }) => {
          engine.log.info({ subjectId: run.key.subjectId, model, ...failed, err: error }, "model call failed");
          turn.call.pause(failed.pause);
          announceRetry(engine, run, { step: modelKey(run.turnKey, turn.turn), model, error, ...failed });
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

/** Makes one attempt of a model call, if the budgets allow it, and records the result. */
async function callOnce(engine: EngineServices, run: Run, turn: RoutedTurn): Promise<ReservedReply<ModelReply>> {
  turn.call.begin(turn.route.model);
  try {
    const paid = await throughGate(engine, run, gatedCall(engine, run, turn), (passed) => {
      turn.onPass(passed);
      return callWithinBudgets(engine, run, { ...turn, onHeaders: passed.answered });
    });
    turn.call.end();
    return paid;
  } catch (error) {
    turn.call.end(error);
    throw error;
  }
}

type RoutedTurn = RecordedTurn & {
  readonly route: ModelRoute;
  readonly maxPauseMs: number;
  readonly onPass: (passed: Passed) => void;
};

function gatedCall(
  { limits }: EngineServices,
  run: Run,
  { route, turn, messages, client, maxPauseMs: maxClosedMs }: RoutedTurn,
): GatedCall {
  const tokens = () =>
    estimatePromptTokens({ messages, tools: client.tools }, limits.budgetBytesPerToken) +
    (run.job.agent.max_tokens ?? 0);
  return { route, step: modelKey(run.turnKey, turn), tokens, maxClosedMs };
}

async function callWithinBudgets(
  engine: EngineServices,
  run: Run,
  turn: RoutedTurn & Pick<ModelRequest, "onHeaders">,
): Promise<ReservedReply<ModelReply>> {
  const { route } = turn;
  const { request, asked, notes } = await requestOf(engine, run, turn);
  const make = async ({ maxTokens = request.maxTokens, onBegin }: CallTerms) => {
    const limited = { ...request, ...(maxTokens !== undefined && { maxTokens }) };
    turn.call.sent({ ...limited, parameters: parametersOf(route, limited) });
    const reply = await observed(engine, run, route.provider, () =>
      streamReply(engine, run, {
        route,
        request: { ...limited, onHeaders: turn.onHeaders },
        onBegin() {
          turn.call.answering();
          onBegin?.();
        },
      }),
    );
    return { ...reply, ...(isBound(reply) && { asked }), ...withNotes([...notes, ...(reply.notes ?? [])]) };
  };
  return withinBudgets(engine, run, { turn: turn.turn, route, request, make });
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
class ModelFailure extends RunFailure {
  readonly used: Used;

  constructor({ provider, model, billing }: ModelRoute, error: ModelError) {
    super("MODEL_ERROR", `The model ${model} failed: ${error.message}`);
    this.used = { provider, model, billing, usage: NOTHING_USED };
  }
}

function asFailure(error: unknown, route: ModelRoute | undefined): RunFailure {
  if (error instanceof RunFailure) return error;
  if (error instanceof ModelError && route !== undefined) return new ModelFailure(route, error);
  throw error;
}
