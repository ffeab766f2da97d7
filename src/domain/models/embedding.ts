/** An embedding model and its provider. */
export interface EmbeddingModel {
  /** The id of the provider. */
  readonly provider: string;
  /** The model id in the provider's API. */
  readonly model: string;
}

/** The purpose of an embedding; some providers have two kinds of vectors. */
export type EmbeddingUse = "passage" | "question";

/** One call of an embedding model. */
export interface EmbeddingRequest {
  readonly model: string;
  /** At least one and at most 64 texts, none of them empty. */
  readonly texts: readonly string[];
  readonly use: EmbeddingUse;
  /** Aborts the HTTP request to the provider. */
  readonly signal: AbortSignal;
}

/** The response of an embedding model. */
export interface Embeddings {
  /** One vector for each text, in order, all of the same length and with the norm 1. */
  readonly vectors: readonly (readonly number[])[];
  /** The number of tokens that the provider reports; 0 if it does not. */
  readonly tokens: number;
}

/** The setting, and the value of a knowledge base, that disables embeddings. */
export const NO_EMBEDDINGS = "none";

/** Matches an embedding model: `provider/model`, or {@link NO_EMBEDDINGS}. */
export const EMBEDDING_MODEL = /^(none|[a-z][a-z0-9-]*\/\S+)$/;

/**
 * Returns the vector space: only vectors of one model and one length can be compared. Format:
 * `provider/model/dimensions`.
 */
export function spaceOf({ provider, model }: EmbeddingModel, dimensions: number): string {
  return `${provider}/${model}/${dimensions}`;
}

/** Returns the model of a space in the format of {@link spaceOf}, or of `provider/model`. */
export function modelOf(name: string): EmbeddingModel {
  const slash = name.indexOf("/");
  const model = name.slice(slash + 1).replace(/\/\d+$/, "");
  return { provider: name.slice(0, slash), model };
}

/** Normalizes a vector to length 1, so that the product of two is their cosine; a zero vector is unchanged. */
export function normalized(vector: readonly number[]): readonly number[] {
  const norm = Math.hypot(...vector);
  return norm === 0 ? vector : vector.map((value) => value / norm);
}
