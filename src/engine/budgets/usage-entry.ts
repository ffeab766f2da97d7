import type { UsageEntry } from "#db/queries/tasks/run-steps.ts";
import type { BillingModel, TokenUsage } from "#domain/models/model-call.ts";
import { newId } from "#lib/ids.ts";
import type { EngineServices, Run } from "../run/run-context.ts";

/** Which model was asked, how that is paid for, and what it used as far as the vendor said. */
export interface Used {
  readonly provider: string;
  readonly model: string;
  readonly usage: TokenUsage;
  readonly billing: BillingModel;
}

/** What a call cost in US dollars; a subscription is paid for as a whole, and a model without a price counts nothing. */
export function costOf(
  { prices }: Pick<EngineServices, "prices">,
  { model, usage, billing }: Omit<Used, "provider">,
): number {
  return billing === "per-token" ? (prices.costUsd(model, usage) ?? 0) : 0;
}

/** Whether it is known what a call costs. */
export function isPriced(
  { prices }: Pick<EngineServices, "prices">,
  { model, usage, billing }: Omit<Used, "provider">,
): boolean {
  return billing !== "per-token" || prices.costUsd(model, usage) !== null;
}

/** What a turn's call used. */
export interface UsedInTurn extends Used {
  readonly turn: number;
  /** The reservation in budgets that its record settles. */
  readonly reservation?: string | undefined;
}

/** The record of what a turn's call used, charged to whoever pays for the run. */
export function usageEntry(engine: EngineServices, run: Run, used: UsedInTurn): UsageEntry {
  return {
    ...run.chargedTo,
    id: used.reservation ?? newId(),
    settles: used.reservation !== undefined,
    agent_id: run.job.agent.id,
    agent_version: run.job.agent.version ?? null,
    step: used.turn,
    turn: run.turnKey,
    provider: used.provider,
    model: used.model,
    prompt_tokens: used.usage.promptTokens,
    completion_tokens: used.usage.completionTokens,
    estimated_cost_usd: costOf(engine, used),
    billing_model: used.billing,
  };
}
