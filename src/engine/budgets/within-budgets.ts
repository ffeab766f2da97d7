import { approversOf } from "#domain/agents/agent.ts";
import type { BudgetCall } from "#db/queries/budgets/budget-reservations.ts";
import { ModelError } from "#domain/models/model-call.ts";
import type { ModelRequest } from "#domain/models/model-call.ts";
import { estimatePromptTokens } from "#domain/models/prompt-tokens.ts";
import type { StepFacts } from "#domain/runs/step-facts.ts";
import { modelKey } from "#domain/runs/step-key.ts";
import { newId } from "#lib/ids.ts";
import { answerKey } from "../run/ask-person.ts";
import { BudgetQuestion, breachFailure, breachQuestion, rejectionFailure, unpricedFailure } from "./budget-breach.ts";
import { OwnershipLostError } from "../queue/ownership.ts";
import type { ModelRoute } from "../models/provider-directory.ts";
import type { EngineServices, Run } from "../run/run-context.ts";
import { reserveForRun } from "./reserve-for-run.ts";
import { costOf, isPriced } from "./usage-entry.ts";
import type { Used } from "./usage-entry.ts";

/** A model call to make. */
export interface PlannedCall<Reply> {
  readonly turn: number;
  /** Names it among the calls of its run or turn. */
  readonly name: string;
  readonly route: ModelRoute;
  readonly request: Pick<ModelRequest, "messages" | "tools" | "maxTokens" | "caching">;
  /** Makes the call. */
  readonly make: (terms: CallTerms) => Promise<Reply>;
}

/** The conditions of a call. */
export interface CallTerms {
  /** The maximum number of tokens of the reply; undefined without a budget. */
  readonly maxTokens?: number;
  /** Call it when the first part of the reply arrives. */
  readonly onBegin?: () => void;
}

/** A reply, and the reservation that is charged with its usage. */
export interface ReservedReply<Reply> {
  readonly reply: Reply;
  /** Undefined when no budget applies. */
  readonly reservation: string | undefined;
  /** What was reserved; undefined when no budget applies. */
  readonly reserved?: StepFacts["reserved"];
}

/**
 * Makes a call if all budgets that apply can cover its worst case, which stays reserved until the call ends. If it fits
 * only after other calls have been charged, waits for them. Without a budget it only makes the call.
 * @throws RunFailure `BUDGET_EXCEEDED`; BudgetQuestion when a person must approve it; any error of `make`
 */
export async function withinBudgets<Reply extends Pick<Used, "usage">>(
  engine: EngineServices,
  run: Run,
  call: PlannedCall<Reply>,
): Promise<ReservedReply<Reply>> {
  const { budgets } = engine;
  const { workspaceId, agent } = run.job;
  const { team_id, team_run_id, task_id } = run.chargedTo;
  const targets = [workspaceId, agent.id, team_id, team_run_id, task_id].filter((id) => id !== null);
  if (!(await budgets.mayApply(workspaceId, targets))) return unbudgeted(call);
  const { maxTokens, ...worst } = worstCase(engine, call);
  const reservation = await reserve(engine, run, {
    model: call.route.model,
    turn: call.turn,
    name: call.name,
    call: {
      ...worst,
      id: newId(),
      workspace_id: workspaceId,
      targets,
      run_id: run.key.subjectId,
      attempt: run.key.attempt,
      step: `${run.turnKey ?? ""}/${call.name}`,
    },
  });
  if (reservation === undefined) return unbudgeted(call);
  const reserved = { usd: worst.usd, tokens: worst.tokens };
  let began = false;
  try {
    const reply = await call.make({ maxTokens, onBegin: () => (began = true) });
    if (reply.usage.promptTokens + reply.usage.completionTokens > 0) return { reply, reservation, reserved };
    // Some endpoints report no usage: then the worst case is charged.
    await budgets.charge(reservation);
    return { reply, reservation: undefined, reserved };
  } catch (error) {
    const isUnsent = error instanceof OwnershipLostError || (error instanceof ModelError && error.isRefusal);
    // The cost of an interrupted call is unknown: the worst case is charged.
    await budgets.charge(reservation, isUnsent && !began ? { usd: 0, tokens: 0 } : undefined);
    throw error;
  }
}

async function unbudgeted<Reply>({ make }: PlannedCall<Reply>): Promise<ReservedReply<Reply>> {
  return { reply: await make({}), reservation: undefined };
}

function worstCase(engine: EngineServices, { route, request }: PlannedCall<unknown>) {
  const { budgetOutputTokens, budgetBytesPerToken } = engine.limits;
  const promptTokens = estimatePromptTokens(request, budgetBytesPerToken);
  const maxTokens =
    request.maxTokens ?? Math.min(budgetOutputTokens, engine.catalogue.find(route.model)?.maxOutput ?? Infinity);
  // To write a prompt to the cache costs more than to send it.
  const cacheWriteTokens = request.caching === undefined ? 0 : promptTokens;
  const usage = { promptTokens, cacheWriteTokens, completionTokens: maxTokens };
  const used = { ...route, usage };
  return { maxTokens, usd: isPriced(engine, used) ? costOf(engine, used) : null, tokens: promptTokens + maxTokens };
}

interface Wanted {
  readonly model: string;
  readonly turn: number;
  readonly name: string;
  readonly call: BudgetCall;
}

/** Reserves a call's worst case, including waits and questions; undefined when no budget applies. */
async function reserve(
  engine: EngineServices,
  run: Run,
  { model, turn, name, call }: Wanted,
): Promise<string | undefined> {
  const asked: string[] = [];
  for (;;) {
    const { verdict, standing } = await reserveForRun(engine, run, { step: modelKey(run.turnKey, turn), model, call });
    switch (verdict) {
      case "free":
        return undefined;
      case "granted":
        return call.id;
      case "unpriced":
        throw unpricedFailure(standing, model);
      case "exceeded": {
        if (standing.on_breach === "stop") throw breachFailure(standing, call);
        // An answer is for the budget and the window that the question named, whatever else is exceeded by then.
        const window = `${standing.id}:${standing.key}`;
        const before = asked.filter((each) => each === window).length;
        asked.push(window);
        const id = `budget:${name}:${window}:${before}`;
        const open = breachQuestion(standing, call, { id, approvers: approversOf(run.job.agent.config) });
        const answer = run.answerTo(answerKey(open));
        if (answer === undefined) throw new BudgetQuestion(open);
        if (answer["approved"] !== true) throw rejectionFailure(standing, call);
        await engine.budgets.extend(standing, { call, answer: `${run.turnKey ?? ""}/${answerKey(open)}` });
      }
    }
  }
}
