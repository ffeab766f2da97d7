/** A model as its provider describes it. Prices are list prices of the standard tier. */
export interface ModelDescription {
  /** The id that the vendor's API takes; unique among all providers. */
  readonly id: string;
  /** The name shown to people. */
  readonly label: string;
  /** USD per million prompt tokens. */
  readonly promptPrice: number;
  /** USD per million completion tokens. */
  readonly completionPrice: number;
  /** Context window in tokens. */
  readonly contextWindow: number;
  /** The longest answer in tokens; absent where it is longer than anybody asks for. */
  readonly maxOutput?: number;
  /** Set where the model cannot be shown pictures. */
  readonly images?: false;
}

/** The models of one provider. */
export interface ProviderModels {
  readonly id: string;
  /** The newest first. Absent where any id may be served. */
  readonly models?: readonly ModelDescription[];
  /** USD per million tokens of the models that embed texts, by their ids. */
  readonly embeddingPrices?: Readonly<Record<string, number>>;
}

/** A model of the catalogue. */
export interface KnownModel extends ModelDescription {
  /** The id of the provider that serves it. */
  readonly provider: string;
}

/** The models that this program knows. */
export interface ModelCatalogue {
  /** The ids of all providers, also of those without models of their own. */
  readonly providerIds: readonly string[];
  /** Every model, grouped by provider. */
  readonly models: readonly KnownModel[];
  /** The model with exactly this id; undefined for one that only an endpoint of a workspace may serve. */
  find(id: string): KnownModel | undefined;
  /** Whether a model can be shown pictures; false for one that is not in the catalogue, where it is unknown. */
  supportsImages(id: string): boolean;
  /** USD per million tokens of a model that embeds texts; undefined when it has no price. */
  embeddingPrice(id: string): number | undefined;
}

/** Joins what providers say of their models. @throws Error when two describe a model of the same id. */
export function createCatalogue(providers: readonly ProviderModels[]): ModelCatalogue {
  const models = providers.flatMap(({ id: provider, models: own = [] }) =>
    own.map((model) => ({ ...model, provider })),
  );
  const byId = new Map(models.map((model) => [model.id, model]));
  if (byId.size < models.length) throw new Error("Two providers describe a model of the same id.");
  const embeddings = new Map(providers.flatMap(({ embeddingPrices = {} }) => Object.entries(embeddingPrices)));
  return {
    providerIds: providers.map(({ id }) => id),
    models,
    find: (id) => byId.get(id),
    supportsImages(id) {
      const model = byId.get(id);
      return model !== undefined && model.images !== false;
    },
    embeddingPrice: (id) => embeddings.get(id),
  };
}
