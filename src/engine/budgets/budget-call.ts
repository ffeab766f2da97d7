import type { BudgetCall, InterruptedUsage } from "#db/queries/budgets/budget-reservations.ts";
import type { ModelRequest, ReportedUsage, TokenUsage } from "#domain/models/model-call.ts";
import { estimatePromptTokens } from "#domain/models/prompt-tokens.ts";
import type { EngineServices, Run } from "../run/run-context.ts";
import { interruptedTokens } from "./interrupted-tokens.ts";
import { costOf, isPriced } from "./usage-entry.ts";
import type { ModelRoute } from "../run/ports.ts";

/** A model call of a run's turn. */
export interface BillableCall {
  readonly turn: number;
  /** Names it among the calls of its run or turn. */
  readonly name: string;
  readonly route: ModelRoute;
  readonly request: Pick<ModelRequest, "messages" | "tools" | "maxTokens" | "caching">;
}

/** A call with the id of its usage record. */
export interface IdentifiedCall extends BillableCall {
  readonly id: string;
}

/** The ids whose budgets apply to a run's calls. */
export function targetsOf({ job, chargedTo: { team_id, team_run_id, task_id } }: Run): readonly string[] {
  const { workspaceId, agent, pageId = null } = job;
  return [workspaceId, agent.id, team_id, team_run_id, task_id, pageId].filter((id) => id !== null);
}

/** A call as budgets see it: its worst case, and what is recorded if this process dies meanwhile. */
export function budgetCall(engine: EngineServices, run: Run, call: IdentifiedCall): BudgetCall {
  const usage = worstCase(engine, call);
  const used = { ...call.route, usage };
  return {
    id: call.id,
    workspace_id: run.job.workspaceId,
    targets: targetsOf(run),
    run_id: run.key.subjectId,
    attempt: run.key.attempt,
    step: `${run.turnKey ?? ""}/${call.name}`,
    usd: isPriced(engine, used) ? costOf(engine, used) : null,
    tokens: usage.promptTokens + usage.completionTokens,
    usage: interruptedUsage(engine, run, call),
  };
}

/** The usage record of a call that was interrupted. */
export function interruptedUsage(
  engine: EngineServices,
  run: Run,
  { id, reported, ...call }: IdentifiedCall & { readonly reported?: ReportedUsage | undefined },
): InterruptedUsage {
  return {
    ...run.chargedTo,
    ...interruptedTokens(engine, { route: call.route, worst: worstCase(engine, call), reported }),
    id,
    workspace_id: run.job.workspaceId,
    attempt: run.key.attempt,
    agent_id: run.job.agent.id,
    agent_version: run.job.agent.version ?? null,
    step: call.turn,
    turn: run.turnKey ?? null,
  };
}

/** The longest reply that a budget allows. */
export function maxTokensOf({ limits, catalogue }: EngineServices, { route, request }: BillableCall): number {
  return request.maxTokens ?? Math.min(limits.budgetOutputTokens, catalogue.find(route.model)?.maxOutput ?? Infinity);
}

function worstCase(engine: EngineServices, call: BillableCall): TokenUsage {
  const promptTokens = estimatePromptTokens(call.request, engine.limits.budgetBytesPerToken);
  // To write a prompt to the cache costs more than to send it.
  const cacheWriteTokens = call.request.caching === undefined ? 0 : promptTokens;
  return { promptTokens, cacheWriteTokens, completionTokens: maxTokensOf(engine, call) };
}
