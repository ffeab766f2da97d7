import type { BudgetCall, InterruptedUsage } from "#db/queries/budgets/budget-reservations.ts";
import { recordEmbeddingUsage } from "#db/queries/knowledge/embedding-usage.ts";
import type { Database } from "#db/database.ts";
import type { Embeddings } from "#domain/models/embedding.ts";
import { ModelError } from "#domain/models/model-call.ts";
import type { BillingTarget } from "#domain/models/billing-target.ts";
import type { PriceList } from "#domain/models/prices.ts";
import { newId } from "#lib/ids.ts";
import { breachFailure, unpricedFailure } from "../budgets/budget-breach.ts";
import { interruptedTokens } from "../budgets/interrupted-tokens.ts";
import { reserveInTurn } from "../budgets/reserve-in-turn.ts";
import { costOf, isPriced } from "../budgets/usage-entry.ts";
import type { ModelRoute, Budgets } from "../run/ports.ts";

/** Budgets and usage of embeddings. */
export interface EmbeddingAccounts {
  readonly db: Database;
  readonly budgets: Budgets;
  readonly prices: PriceList;
  /** Bytes of text per token, until the provider reports its own count. */
  readonly bytesPerToken: number;
}

/** An embedding call to make. */
export interface PlannedEmbedding {
  readonly route: ModelRoute;
  readonly texts: readonly string[];
  readonly signal: AbortSignal;
  /** Makes the call. */
  readonly make: () => Promise<Embeddings>;
}

/**
 * Makes a call if the budgets of its billing target cover the worst case, and records its usage as soon as the provider
 * has replied, exactly once, even if the vectors are not used.
 * @throws RunFailure `BUDGET_EXCEEDED`, even where a model call would ask a person; ModelError from `make`, or when the
 * budgets stay full too long
 */
export async function payForEmbedding(
  accounts: EmbeddingAccounts,
  payer: BillingTarget,
  { route, texts, signal, make }: PlannedEmbedding,
): Promise<Embeddings> {
  const { db, budgets, bytesPerToken } = accounts;
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const worst = { promptTokens: Math.ceil(bytes / bytesPerToken), completionTokens: 0 };
  const interrupted = {
    ...payer.chargedTo,
    ...interruptedTokens(accounts, { route, worst }),
    id: newId(),
    workspace_id: payer.workspaceId,
    attempt: payer.attempt,
    step: null,
  };
  await reserve(accounts, payer, { route, signal, usage: interrupted });
  const embeddings = await make().catch(async (error: unknown) => {
    const isUnpaid = error instanceof ModelError && error.isRefusal;
    await (isUnpaid ? budgets.free(interrupted.id) : budgets.interrupt(interrupted));
    throw error;
  });
  const usage = embeddings.tokens === 0 ? worst : { ...worst, promptTokens: embeddings.tokens };
  const record = {
    ...payer.chargedTo,
    id: interrupted.id,
    workspace_id: payer.workspaceId,
    attempt: payer.attempt,
    provider: route.provider,
    model: route.model,
    prompt_tokens: usage.promptTokens,
    estimated_cost_usd: costOf(accounts, { ...route, usage }),
    billing_model: route.billing,
  };
  await recordEmbeddingUsage(db, record);
  return embeddings;
}

/** Reserves a call's worst case, if a budget applies. */
async function reserve(
  { budgets, prices }: EmbeddingAccounts,
  payer: BillingTarget,
  { route, usage, signal }: Pick<PlannedEmbedding, "route" | "signal"> & { readonly usage: InterruptedUsage },
): Promise<void> {
  const { workspaceId, chargedTo } = payer;
  const { agent_id, team_id, team_run_id, task_id } = chargedTo;
  const targets = [workspaceId, agent_id, team_id, team_run_id, task_id].filter((id) => id !== null);
  if (!(await budgets.mayApply(workspaceId, targets))) return;
  const { id, worst_case_tokens: tokens, worst_case_cost_usd: usd } = usage;
  const used = { ...route, usage: { promptTokens: tokens, completionTokens: 0 } };
  const call: BudgetCall = {
    id,
    workspace_id: workspaceId,
    targets,
    run_id: payer.runId,
    attempt: payer.attempt,
    step: payer.step,
    usd: isPriced({ prices }, used) ? usd : null,
    tokens,
    usage,
  };
  const { verdict, standing } = await reserveInTurn(budgets, call, { signal }).catch((error: unknown) => {
    throw signal.aborted ? new ModelError("aborted", "Its budget had no room in time.") : error;
  });
  if (verdict === "unpriced") throw unpricedFailure(standing, route.model);
  if (verdict === "exceeded") throw breachFailure(standing, call);
}
