import type { UsageEntry } from "#db/queries/runs/run-steps.ts";
import type { BillingModel, TokenUsage } from "#domain/models/model-call.ts";
import { newId } from "#lib/ids.ts";
import type { EngineServices, Run } from "../run/run-context.ts";

/** The model that was called, the kind of connection, and the usage as far as the provider reported it. */
export interface Used {
  readonly provider: string;
  readonly model: string;
  readonly usage: TokenUsage;
  readonly billing: BillingModel;
}

/** The cost of a call in US dollars; 0 for a subscription and for a model without a price. */
export function costOf(
  { prices }: Pick<EngineServices, "prices">,
  { model, usage, billing }: Omit<Used, "provider">,
): number {
  return billing === "per-token" ? (prices.costUsd(model, usage) ?? 0) : 0;
}

/** Whether the cost of a call is known. */
export function isPriced(
  { prices }: Pick<EngineServices, "prices">,
  { model, usage, billing }: Omit<Used, "provider">,
): boolean {
  return billing !== "per-token" || prices.costUsd(model, usage) !== null;
}

/** The usage of a turn's model call. */
export interface UsedInTurn extends Used {
  readonly turn: number;
  /** The reservation that is charged with this usage. */
  readonly reservation?: string | undefined;
  /** The worst case of what the provider did not report, which is charged as well. */
  readonly worst?: { readonly usd: number; readonly tokens: number } | undefined;
}

/** Builds the usage record of a turn's model call, charged to the run's billing target. */
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
    cached_tokens: used.usage.cachedTokens,
    cache_write_tokens: used.usage.cacheWriteTokens,
    reasoning_tokens: used.usage.reasoningTokens,
    worst_case_tokens: used.worst?.tokens,
    worst_case_cost_usd: used.worst?.usd,
    estimated_cost_usd: costOf(engine, used),
    billing_model: used.billing,
  };
}
