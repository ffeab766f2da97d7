import { z } from "zod";
import { ModelError } from "#domain/models/model-call.ts";
import type { ModelMessage } from "#domain/models/model-call.ts";
import type { AgentSnapshot } from "#domain/tasks/run-job.ts";
import { findModel, supportsImages } from "#domain/models/models.ts";
import { RUN_ERROR_CODES } from "#domain/streams/stream-event.ts";
import type { ClientTools } from "#domain/tools/client-tools.ts";
import type { OpenQuestion } from "../run/ask-person.ts";
import { BudgetQuestion } from "../budgets/budget-breach.ts";
import { fitMessages } from "./fit-messages.ts";
import type { ModelRoute } from "../models/provider-directory.ts";
import type { EngineServices, Run } from "../run/run-context.ts";
import { describeTool } from "../tools/tool-registry.ts";
import type { StepResult } from "../run/step-journal.ts";
import { retryTransient } from "./retry-transient.ts";
import { RunFailure } from "../run/run-failure.ts";
import { NOTHING_USED, modelReply, streamReply } from "./stream-reply.ts";
import type { ModelReply } from "./stream-reply.ts";
import { usageEntry } from "../budgets/usage-entry.ts";
import type { Used } from "../budgets/usage-entry.ts";
import { withinBudgets } from "../budgets/within-budgets.ts";
import type { CallTerms, Paid } from "../budgets/within-budgets.ts";

/** A provider may ask for a longer pause than this, in milliseconds; the run then continues to the fallback model. */
const MAX_PAUSE_MS = 60_000;

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
      const { reply, reservation } = await callRoutes(engine, run, turn);
      const usage = usageEntry(engine, run, { ...reply, ...turn, reservation });
      return { value: { ok: true, reply }, usage, isLast: run.turnKey === undefined && reply.toolCalls.length === 0 };
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

/** The models to ask: the agent's own, then its fallback model. */
function modelsOf({ model, fallback_model: fallback }: AgentSnapshot): readonly string[] {
  return fallback === null ? [model] : [model, fallback];
}

/** Asks one model after another, until one answers. */
async function callRoutes(engine: EngineServices, run: Run, turn: Turn): Promise<Paid<ModelReply>> {
  const { workspaceId, agent } = run.job;
  let failure: RunFailure | undefined;
  for (const model of modelsOf(agent)) {
    let route: ModelRoute | undefined;
    try {
      const known = (route = await engine.providers.route(workspaceId, { provider: agent.provider, model }));
      return await retryTransient(() => callOnce(engine, run, { ...turn, route: known }), {
        attempts: engine.limits.modelAttempts,
        maxPauseMs: MAX_PAUSE_MS,
        signal: run.signal,
        onFailure: ({ error, ...failed }) =>
          engine.log.info({ taskId: run.job.taskId, model, ...failed, err: error }, "model call failed"),
      });
    } catch (error) {
      run.signal.throwIfAborted();
      failure = asFailure(error, route);
      if (failure.code === "BUDGET_EXCEEDED") throw failure;
    }
  }
  throw failure ?? new RunFailure("INTERNAL_ERROR", "The agent has no model.");
}

/** Calls a model once, as far as the budgets allow it. */
async function callOnce(
  engine: EngineServices,
  run: Run,
  turn: Turn & { readonly route: ModelRoute },
): Promise<Paid<ModelReply>> {
  const { agent, workspaceId } = run.job;
  const offered = await engine.tools.offered(workspaceId, agent.tools);
  const messages = fitMessages(turn.messages, { model: turn.route.model, sees: sees(run, turn.route) });
  const call = { ...turn, messages, tools: [...[...offered, ...run.tools].map(describeTool), ...turn.client.tools] };
  const make = ({ maxTokens = agent.max_tokens ?? undefined, onBegin }: CallTerms) =>
    streamReply(engine, run, { ...call, maxTokens, onBegin });
  return withinBudgets(engine, run, { ...call, make });
}

/** Whether to show a model pictures: of those that the catalogue does not list, the agent's config must say so. */
function sees({ job }: Run, { model }: ModelRoute): boolean {
  return supportsImages(model) || (findModel(model) === undefined && job.agent.config["vision"] === true);
}

/** The models were asked and none answered. */
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
