/** A model that turns texts into vectors, and the vendor that serves it. */
export interface EmbeddingModel {
  /** The id of the provider. */
  readonly provider: string;
  /** The id that the vendor's API takes. */
  readonly model: string;
}

/** What a text is embedded for; some vendors have vectors of two kinds. */
export type EmbeddingUse = "passage" | "question";

/** One call of an embedding model. */
export interface EmbeddingRequest {
  readonly model: string;
  /** At least one and at most 64 texts, none of them empty. */
  readonly texts: readonly string[];
  readonly use: EmbeddingUse;
  /** Aborts the vendor's HTTP request. */
  readonly signal: AbortSignal;
}

/** What an embedding model answers. */
export interface Embeddings {
  /** One vector for each text, in their order, all of one length and each of the norm 1. */
  readonly vectors: readonly (readonly number[])[];
  /** What the vendor says it has read; 0 where it does not say. */
  readonly tokens: number;
}

/** The setting and the value of a knowledge base that turn embeddings off. */
export const NO_EMBEDDINGS = "none";

/** Whether a text names an embedding model: `provider/model`, or {@link NO_EMBEDDINGS}. */
export const EMBEDDING_MODEL = /^(none|[a-z][a-z0-9-]*\/\S+)$/;

/**
 * The space of vectors: only those of one model and one length can be compared. Written `provider/model/dimensions`.
 */
export function spaceOf({ provider, model }: EmbeddingModel, dimensions: number): string {
  return `${provider}/${model}/${dimensions}`;
}

/** The model of a space as {@link spaceOf} writes it, or of `provider/model`. */
export function modelOf(name: string): EmbeddingModel {
  const slash = name.indexOf("/");
  const model = name.slice(slash + 1).replace(/\/\d+$/, "");
  return { provider: name.slice(0, slash), model };
}

/** A vector at length 1, so that the product of two is their cosine; one of zeros stays as it is. */
export function normalized(vector: readonly number[]): readonly number[] {
  const norm = Math.hypot(...vector);
  return norm === 0 ? vector : vector.map((value) => value / norm);
}
