import { BLIND_MODELS, CATALOGUE } from "./model-catalogue.ts";

/** A model of the catalogue. */
export interface KnownModel {
  /** The id that the vendor's API takes; unique in the catalogue. */
  readonly id: string;
  /** The id of the provider that serves it. */
  readonly provider: string;
  /** The name shown to people. */
  readonly label: string;
  /** USD per million prompt tokens. */
  readonly promptPrice: number;
  /** USD per million completion tokens. */
  readonly completionPrice: number;
  /** Context window in tokens. */
  readonly contextWindow: number;
  /** The longest answer in tokens; undefined where it is longer than anybody asks for. */
  readonly maxOutput: number | undefined;
}

const MODELS: readonly KnownModel[] = Object.entries(CATALOGUE).flatMap(([provider, rows]) =>
  rows.map(([id, label, promptPrice, completionPrice, contextWindow, maxOutput]) => ({
    id,
    provider,
    label,
    promptPrice,
    completionPrice,
    contextWindow,
    maxOutput,
  })),
);

const MODEL_BY_ID: ReadonlyMap<string, KnownModel> = new Map(MODELS.map((model) => [model.id, model]));

/** Every model of the catalogue, grouped by provider. */
export function knownModels(): readonly KnownModel[] {
  return MODELS;
}

/** Whether a model can be shown pictures; false for one that is not in the catalogue, where nobody knows. */
export function supportsImages(id: string): boolean {
  return MODEL_BY_ID.has(id) && !BLIND_MODELS.has(id);
}

/** The model with exactly this id, or undefined: an endpoint of a workspace may still serve it. */
export function findModel(id: string): KnownModel | undefined {
  return MODEL_BY_ID.get(id);
}
