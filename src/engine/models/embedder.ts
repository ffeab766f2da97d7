import type { EmbeddingModel, EmbeddingRequest, Embeddings } from "#domain/models/embedding.ts";
import type { BillingTarget } from "#domain/models/billing-target.ts";
import type { QuestionEmbedder } from "#operations/knowledge/rank-passages.ts";

/** Embeds passages and queries, within budgets; each call has a usage record. */
export interface Embedder extends QuestionEmbedder {
  /**
   * The model for new passages of a workspace; undefined when embeddings are off.
   * @param chosen `provider/model`, or `none`; null uses the instance's choice
   */
  modelFor(workspaceId: string, chosen: string | null): Promise<EmbeddingModel | undefined>;
  /**
   * Embeds passages, without retries.
   * @throws ModelError when the provider rejects the call or cannot be reached
   * @throws RunFailure `PROVIDER_NOT_CONFIGURED`, `BUDGET_EXCEEDED`
   */
  embedPassages(payer: BillingTarget, passages: TextsToEmbed): Promise<Embeddings>;
}

/** Texts, and the model to embed them with. */
export type TextsToEmbed = Pick<EmbeddingRequest, "texts" | "signal"> & { readonly model: EmbeddingModel };
