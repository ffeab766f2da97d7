import type { EmbeddingModelV4 } from "@ai-sdk/provider";
import { normalized } from "#domain/models/embedding.ts";
import type { EmbeddingRequest, Embeddings } from "#domain/models/embedding.ts";
import { ModelError } from "#domain/models/model-call.ts";
import { toModelError } from "./model-error.ts";
import type { FailedCall } from "./model-error.ts";
import { tokenCount } from "./token-count.ts";

/** An embedding model, and the additional options of its calls. */
export interface EmbeddingCall {
  readonly model: Pick<EmbeddingModelV4, "doEmbed">;
  readonly options: Omit<Parameters<EmbeddingModelV4["doEmbed"]>[0], "values" | "abortSignal">;
}

/** Embeds texts with one call of an AI SDK embedding model. @throws ModelError */
export async function embedTexts(
  { call, ...failing }: { readonly call: EmbeddingCall } & Omit<FailedCall, "signal">,
  { texts, signal }: EmbeddingRequest,
): Promise<Embeddings> {
  try {
    const { embeddings, usage } = await call.model.doEmbed({
      ...call.options,
      values: [...texts],
      abortSignal: signal,
    });
    checkShape(embeddings, texts.length);
    return { vectors: embeddings.map(normalized), tokens: tokenCount(usage?.tokens) };
  } catch (error) {
    throw toModelError(error, { ...failing, signal });
  }
}

function checkShape(embeddings: readonly (readonly number[])[], count: number): void {
  if (embeddings.length !== count) {
    throw new ModelError("model", `The provider gave ${embeddings.length} vectors for ${count} texts.`);
  }
  const lengths = new Set(embeddings.map(({ length }) => length));
  const isUsable = lengths.size === 1 && !lengths.has(0) && embeddings.every((vector) => vector.every(Number.isFinite));
  if (!isUsable) throw new ModelError("model", "The provider's vectors cannot be used: they differ in length.");
}
