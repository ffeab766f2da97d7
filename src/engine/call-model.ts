import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { BILLING_MODELS, ModelError, tokenUsage, toolCall } from "#domain/model-call.ts";
import type { ModelMessage, TokenUsage, ToolCall, ToolSpec } from "#domain/model-call.ts";
import { findModel, seesPictures } from "#domain/models.ts";
import { storableText } from "#domain/storable.ts";
import { RUN_ERROR_CODES } from "#domain/stream-event.ts";
import { startTimeLimit } from "#lib/time-limit.ts";
import type { ClientTools } from "#domain/client-tools.ts";
import type { OpenQuestion } from "./ask-person.ts";
import { BudgetQuestion } from "./budget-breach.ts";
import { fitMessages } from "./fit-messages.ts";
import { ensureOwner } from "./queue/lease.ts";
import type { ModelRoute } from "./provider-directory.ts";
import type { EngineServices, Run } from "./run-context.ts";
import { describeTool } from "./tool-registry.ts";
import type { StepResult } from "./step-journal.ts";
import { retryPause } from "./retry-pause.ts";
import { RunFailure } from "./run-failure.ts";
import { openTextMessage } from "./text-message.ts";
import { usageEntry } from "./usage-entry.ts";
import type { Used } from "./usage-entry.ts";
import { withinBudgets } from "./within-budgets.ts";
import type { CallTerms, Paid } from "./within-budgets.ts";

const NOTHING: TokenUsage = { promptTokens: 0, completionTokens: 0 };
/** A vendor may ask for more patience than this, in milliseconds; the run then goes on to the fallback model. */
const MOST_PATIENCE_MS = 60_000;

const modelReply = z.object({
  text: z.string(),
  toolCalls: z.array(toolCall).readonly(),
  /** The message under which the text was streamed, still open; absent when there was none. */
  messageId: z.string().optional(),
  /** Which model answered, and what it used. */
  provider: z.string(),
  model: z.string(),
  usage: tokenUsage,
  billing: z.enum(BILLING_MODELS),
  /** When the answer was complete, as ISO 8601; recorded with the step, so that a replay says the same. */
  answeredAt: z.string(),
  /** Whether a fork has it from another run, which has paid for it. */
  takenOver: z.literal(true).optional(),
});

/** A model's whole answer of one turn. */
export type ModelReply = Readonly<z.output<typeof modelReply>>;

/** One turn of the conversation. */
export interface Turn {
  /** Its number, from 0; names the step. */
  readonly turn: number;
  readonly messages: readonly ModelMessage[];
  /** What the client offers for this call. */
  readonly client: Pick<ClientTools, "tools" | "choice">;
}

const outcome = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), reply: modelReply }),
  z.object({ ok: z.literal(false), code: z.enum(RUN_ERROR_CODES), message: z.string() }),
]);

type Outcome = z.output<typeof outcome>;

/**
 * Calls the model as one recorded step and streams its words. Trouble that may pass is met with
 * a few attempts, then the agent's fallback model is asked.
 * A call that needs a person's leave to exceed a budget gives its question.
 * @throws RunFailure with the vendor's own message when none of them answers.
 */
export async function callModel(engine: EngineServices, run: Run, turn: Turn): Promise<ModelReply | OpenQuestion> {
  const asked = run.step(`model:${turn.turn}`, outcome, async (): Promise<StepResult<Outcome>> => {
    try {
      const { reply, reservation } = await askAll(engine, run, turn);
      return { value: { ok: true, reply }, usage: usageEntry(engine, run, { ...reply, ...turn, reservation }) };
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error;
      const { code, message } = error;
      const usage = error instanceof ModelFailure ? usageEntry(engine, run, { ...error.used, ...turn }) : undefined;
      return { value: { ok: false, code, message }, usage };
    }
  });
  // A step that waits for a person is not done; it is done again with the answer.
  const answered = await asked.catch((error: unknown) => {
    if (error instanceof BudgetQuestion) return error.open;
    throw error;
  });
  if ("question" in answered) return answered;
  if (!answered.ok) throw new RunFailure(answered.code, answered.message);
  return answered.reply;
}

/** Asks the agent's model and, if that fails for good, its fallback model. */
async function askAll(engine: EngineServices, run: Run, turn: Turn): Promise<Paid<ModelReply>> {
  const { agent } = run.job;
  const models = [agent.model, ...(agent.fallback_model === null ? [] : [agent.fallback_model])];
  let failure: RunFailure | undefined;
  for (const model of models) {
    let route: ModelRoute | undefined;
    try {
      route = await engine.providers.route(run.job.workspaceId, { provider: agent.provider, model });
      return await askPatiently(engine, run, { ...turn, route });
    } catch (error) {
      run.signal.throwIfAborted();
      failure = asFailure(error, route);
      if (failure.code === "BUDGET_EXCEEDED") throw failure;
    }
  }
  throw failure ?? new RunFailure("INTERNAL_ERROR", "The agent has no model.");
}

type RoutedTurn = Turn & { readonly route: ModelRoute };

async function askPatiently(engine: EngineServices, run: Run, turn: RoutedTurn): Promise<Paid<ModelReply>> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask(engine, run, turn);
    } catch (error) {
      run.signal.throwIfAborted();
      if (attempt >= engine.limits.modelAttempts || !mayPass(error)) throw error;
      const pause = retryPause(attempt, error);
      engine.log.info(
        { taskId: run.job.taskId, model: turn.route.model, attempt, pause, err: error },
        "model call failed",
      );
      await sleep(pause, undefined, { signal: run.signal });
    }
  }
}

/** Whether the same call may succeed soon enough to wait for it. */
function mayPass(error: unknown): error is ModelError {
  return error instanceof ModelError && error.isTransient && (error.retryAfterMs ?? 0) <= MOST_PATIENCE_MS;
}

/** Calls the model once, as far as the budgets allow it. */
async function ask(engine: EngineServices, run: Run, turn: RoutedTurn): Promise<Paid<ModelReply>> {
  const { agent, workspaceId } = run.job;
  const offered = await engine.tools.offered(workspaceId, agent.tools);
  const messages = fitMessages(turn.messages, { model: turn.route.model, sees: sees(run, turn.route) });
  const call = { ...turn, messages, tools: [...[...offered, ...run.tools].map(describeTool), ...turn.client.tools] };
  const make = ({ maxTokens = agent.max_tokens ?? undefined, onBegin }: CallTerms) =>
    stream(engine, run, { ...call, maxTokens, onBegin });
  return withinBudgets(engine, run, { ...call, make });
}

type SpecifiedTurn = RoutedTurn & {
  readonly tools: readonly ToolSpec[];
  readonly maxTokens: number | undefined;
  readonly onBegin: (() => void) | undefined;
};

/** Calls the model. What was streamed before a failure is closed and not repeated. */
async function stream(engine: EngineServices, run: Run, turn: SpecifiedTurn): Promise<ModelReply> {
  const { messages, tools, client, route, maxTokens, onBegin } = turn;
  await ensureOwner(engine, run.key);
  const limit = startTimeLimit(engine.limits.modelTimeoutMs, run.signal);
  const chunks = route.client.stream({
    model: route.model,
    messages,
    tools,
    ...(client.choice !== "auto" && { toolChoice: client.choice }),
    temperature: run.job.agent.temperature,
    ...(maxTokens !== undefined && { maxTokens }),
    signal: limit.signal,
  });
  const message = openTextMessage(run, engine.writer);
  const toolCalls: ToolCall[] = [];
  let usage = NOTHING;
  try {
    for await (const chunk of chunks) {
      onBegin?.();
      if (chunk.type === "text") message.write(chunk.delta);
      else if (chunk.type === "tool-call") toolCalls.push(chunk.call);
      else usage = chunk.usage;
    }
  } catch (error) {
    await message.abandon();
    if (!limit.isOver() || run.signal.aborted) throw error;
    const seconds = engine.limits.modelTimeoutMs / 1000;
    throw new ModelError("cut", `no complete answer within ${seconds} s`, { cause: error });
  } finally {
    limit.clear();
  }
  await message.stored();
  const { provider, model, billing } = route;
  const messageId = message.id();
  const used = { provider, model, usage, billing };
  const answeredAt = new Date().toISOString();
  return { text: storableText(message.text()), toolCalls, ...(messageId && { messageId }), ...used, answeredAt };
}

/** Whether to show a model pictures: of those that the catalogue does not list, the agent's config must say so. */
function sees({ job }: Run, { model }: ModelRoute): boolean {
  return seesPictures(model) || (findModel(model) === undefined && job.agent.config["vision"] === true);
}

/** The models were asked and none answered. */
class ModelFailure extends RunFailure {
  readonly used: Used;

  constructor({ provider, model, billing }: ModelRoute, error: ModelError) {
    super("MODEL_ERROR", `The model ${model} failed: ${error.message}`);
    this.used = { provider, model, billing, usage: NOTHING };
  }
}

function asFailure(error: unknown, route: ModelRoute | undefined): RunFailure {
  if (error instanceof RunFailure) return error;
  if (error instanceof ModelError && route !== undefined) return new ModelFailure(route, error);
  throw error;
}
