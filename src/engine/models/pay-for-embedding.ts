import type { BudgetCall } from "#db/queries/budgets/budget-reservations.ts";
import { recordEmbeddingUsage } from "#db/queries/knowledge/embedding-usage.ts";
import type { Database } from "#db/database.ts";
import { retryOutage } from "#db/retry-outage.ts";
import type { Embeddings } from "#domain/models/embedding.ts";
import { ModelError } from "#domain/models/model-call.ts";
import type { BillingTarget } from "#domain/models/billing-target.ts";
import type { PriceList } from "#domain/models/prices.ts";
import { newId } from "#lib/ids.ts";
import { breachFailure, unpricedFailure } from "../budgets/budget-breach.ts";
import type { Budgets } from "../budgets/budgets.ts";
import type { ModelRoute } from "./provider-directory.ts";
import { reserveInTurn } from "../budgets/reserve-in-turn.ts";
import { costOf, isPriced } from "../budgets/usage-entry.ts";

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
  const reservation = await reserve(accounts, payer, { route, signal, tokens: worst.promptTokens });
  const embeddings = await make().catch(async (error: unknown) => {
    const isUnpaid = error instanceof ModelError && error.isRefusal;
    if (reservation !== undefined) await budgets.charge(reservation, isUnpaid ? { usd: 0, tokens: 0 } : undefined);
    throw error;
  });
  const usage = embeddings.tokens === 0 ? worst : { ...worst, promptTokens: embeddings.tokens };
  const record = {
    ...payer.chargedTo,
    id: reservation ?? newId(),
    workspace_id: payer.workspaceId,
    attempt: payer.attempt,
    provider: route.provider,
    model: route.model,
    prompt_tokens: usage.promptTokens,
    estimated_cost_usd: costOf(accounts, { ...route, usage }),
    billing_model: route.billing,
  };
  await retryOutage(() => recordEmbeddingUsage(db, record));
  return embeddings;
}

/** Reserves a call's worst case; undefined when no budget applies. */
async function reserve(
  { budgets, prices }: EmbeddingAccounts,
  payer: BillingTarget,
  { route, tokens, signal }: Pick<PlannedEmbedding, "route" | "signal"> & { readonly tokens: number },
): Promise<string | undefined> {
  const { workspaceId, chargedTo } = payer;
  const { agent_id, team_id, team_run_id, task_id } = chargedTo;
  const targets = [workspaceId, agent_id, team_id, team_run_id, task_id].filter((id) => id !== null);
  if (!(await budgets.mayApply(workspaceId, targets))) return undefined;
  const used = { ...route, usage: { promptTokens: tokens, completionTokens: 0 } };
  const call: BudgetCall = {
    id: newId(),
    workspace_id: workspaceId,
    targets,
    run_id: payer.runId,
    attempt: payer.attempt,
    step: payer.step,
    usd: isPriced({ prices }, used) ? costOf({ prices }, used) : null,
    tokens,
  };
  const { verdict, standing } = await reserveInTurn(budgets, call, { signal }).catch((error: unknown) => {
    throw signal.aborted ? new ModelError("aborted", "Its budget had no room in time.") : error;
  });
  if (verdict === "unpriced") throw unpricedFailure(standing, route.model);
  if (verdict === "exceeded") throw breachFailure(standing, call);
  return verdict === "granted" ? call.id : undefined;
}
