import type { EmbeddingModel, EmbeddingRequest, Embeddings } from "#domain/models/embedding.ts";
import type { BillingTarget } from "#domain/models/billing-target.ts";
import type { QuestionEmbedder } from "#operations/knowledge/rank-passages.ts";

/** Embeds what is searched and what is searched for, as far as budgets allow; each call has its usage record. */
export interface Embedder extends QuestionEmbedder {
  /**
   * The model that new passages of a workspace are embedded with; undefined when they are not.
   * @param chosen `provider/model`, or `none`; null leaves it to the instance
   */
  modelFor(workspaceId: string, chosen: string | null): Promise<EmbeddingModel | undefined>;
  /**
   * Embeds passages, once.
   * @throws ModelError when the vendor rejects or cannot be reached.
   * @throws RunFailure `PROVIDER_NOT_CONFIGURED`, `BUDGET_EXCEEDED`.
   */
  embedPassages(payer: BillingTarget, passages: ToEmbed): Promise<Embeddings>;
}

/** Texts, and what they are to be embedded with. */
export type ToEmbed = Pick<EmbeddingRequest, "texts" | "signal"> & { readonly model: EmbeddingModel };
