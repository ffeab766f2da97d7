import type { InterruptedTokens } from "#db/queries/budgets/budget-reservations.ts";
import type { ReportedUsage, TokenUsage } from "#domain/models/model-call.ts";
import type { EngineServices } from "../run/run-context.ts";
import { costOf } from "./usage-entry.ts";
import type { ModelRoute } from "../run/ports.ts";

/** A call that was interrupted, or may be. */
export interface InterruptibleCall {
  readonly route: ModelRoute;
  readonly worst: TokenUsage;
  /** What the provider had reported. */
  readonly reported?: ReportedUsage | undefined;
}

/** What an interrupted call used: what the provider had reported, and the worst case of the rest. */
export function interruptedTokens(
  engine: Pick<EngineServices, "prices">,
  { route, worst, reported: given }: InterruptibleCall,
): InterruptedTokens {
  // Some endpoints report zeros until the end.
  const reported = given === undefined || given.promptTokens === 0 ? undefined : given;
  const known = { promptTokens: 0, completionTokens: 0, ...reported };
  const atWorst = reported === undefined ? worst : { completionTokens: worst.completionTokens, ...reported };
  const cost = costOf(engine, { ...route, usage: known });
  return {
    provider: route.provider,
    model: route.model,
    billing_model: route.billing,
    prompt_tokens: known.promptTokens,
    completion_tokens: known.completionTokens,
    cached_tokens: known.cachedTokens,
    cache_write_tokens: known.cacheWriteTokens,
    reasoning_tokens: known.reasoningTokens,
    estimated_cost_usd: cost,
    worst_case_tokens: totalOf(atWorst) - totalOf(known),
    worst_case_cost_usd: costOf(engine, { ...route, usage: atWorst }) - cost,
  };
}

function totalOf({ promptTokens, completionTokens }: TokenUsage): number {
  return promptTokens + completionTokens;
}
