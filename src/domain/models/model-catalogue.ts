/** How much a model thinks before it replies, from none to most; each model accepts some of them. */
export const REASONING_EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

/** One of {@link REASONING_EFFORTS}. */
export type ReasoningEffort = (typeof REASONING_EFFORTS)[number];

/** How long a readable form of a model's reasoning is. */
export const REASONING_SUMMARIES = ["auto", "concise", "detailed"] as const;

/** One of {@link REASONING_SUMMARIES}. */
export type ReasoningSummary = (typeof REASONING_SUMMARIES)[number];

/** What a model accepts in a request, where models differ. Absent: as most models do. */
export interface ModelCapabilities {
  /** The efforts that it accepts; absent for a model without adjustable reasoning. */
  readonly efforts?: readonly ReasoningEffort[];
  /** Set if it rejects `temperature`; `with-effort-none`: accepts it only while it does not reason. */
  readonly temperature?: false | "with-effort-none";
  /** Set if it rejects a forced tool call. */
  readonly forcedTools?: false;
  /** Set if it does not accept images. */
  readonly images?: false;
  /** Set if it accepts PDF documents. */
  readonly documents?: true;
  /** Set if it can be held to a JSON Schema. */
  readonly structuredOutput?: true;
  /** The maximum number of output tokens; absent if it exceeds all practical requests. */
  readonly maxOutput?: number;
}

/** Factors on the prices of all tokens of a call with a prompt above a number of tokens. */
export interface LongPrompt {
  readonly above: number;
  readonly prompt: number;
  readonly completion: number;
}

/** A model as its provider describes it. Prices are list prices of the standard tier, in USD per million tokens. */
export interface ModelDescription extends ModelCapabilities {
  /** The model id in the provider's API; unique among all providers. */
  readonly id: string;
  /** The display name. */
  readonly label: string;
  /** Prompt tokens that the provider's cache does not contain. */
  readonly promptPrice: number;
  /** Prompt tokens read from the cache; absent: as fresh ones. */
  readonly cachedPrice?: number;
  /** Prompt tokens written to the cache; absent: as fresh ones. */
  readonly cacheWritePrice?: number;
  readonly completionPrice: number;
  /** Completion tokens of reasoning; absent: as other completion tokens. */
  readonly reasoningPrice?: number;
  /** The prices of a call whose prompt has more tokens than this, as factors. */
  readonly longPrompt?: LongPrompt;
  /** Context window in tokens. */
  readonly contextWindow: number;
}

/** The models of one provider. */
export interface ProviderModels {
  readonly id: string;
  /** Newest first. Absent if the provider serves any id. */
  readonly models?: readonly ModelDescription[];
  /** The ids of providers whose models it serves, too, under the same ids and at the same prices. */
  readonly alsoServes?: readonly string[];
  /** Set if it serves models under names that the catalogue cannot know, such as those of deployments. */
  readonly anyModel?: true;
  /** Set if a request can say how long the readable form of the reasoning is. */
  readonly summaryLengths?: true;
  /** USD per million tokens of embedding models, by id. */
  readonly embeddingPrices?: Readonly<Record<string, number>>;
}

/** A model of the catalogue. */
export interface KnownModel extends ModelDescription {
  /** The id of the provider that serves it. */
  readonly provider: string;
}

/** The models known to this version. */
export interface ModelCatalogue {
  /** The ids of all providers, including those without models of their own. */
  readonly providerIds: readonly string[];
  /** Every model, grouped by provider. */
  readonly models: readonly KnownModel[];
  /** Returns the model with exactly this id; undefined for one that only a workspace's endpoint may serve. */
  find(id: string): KnownModel | undefined;
  /**
   * Returns the provider that serves a model: the given one if it does, else the model's own; undefined for a model that
   * only a workspace's endpoint may serve.
   */
  providerOf(id: string, given?: string): string | undefined;
  /** Returns the ids of the providers whose models a provider serves, too. */
  alsoServes(provider: string): readonly string[];
  /** True for a provider whose models have names that the catalogue cannot know. */
  servesAny(provider: string): boolean;
  /** True for a provider whose requests can say how long the readable form of the reasoning is. */
  hasSummaryLengths(provider: string): boolean;
  /** True if a model accepts images; false for a model outside the catalogue, where it is unknown. */
  supportsImages(id: string): boolean;
  /** Returns USD per million tokens of an embedding model; undefined without a price. */
  embeddingPrice(id: string): number | undefined;
}

/** Merges the models of providers. @throws Error when two describe a model with the same id. */
export function createCatalogue(providers: readonly ProviderModels[]): ModelCatalogue {
  const models = providers.flatMap(({ id: provider, models: own = [] }) =>
    own.map((model) => ({ ...model, provider })),
  );
  const byId = new Map(models.map((model) => [model.id, model]));
  if (byId.size < models.length) throw new Error("Two providers describe a model with the same id.");
  const byProvider = new Map(providers.map((provider) => [provider.id, provider]));
  const alsoServes = (provider: string) => byProvider.get(provider)?.alsoServes ?? [];
  const embeddings = new Map(providers.flatMap(({ embeddingPrices = {} }) => Object.entries(embeddingPrices)));
  return {
    providerIds: providers.map(({ id }) => id),
    models,
    find: (id) => byId.get(id),
    providerOf(id, given = "") {
      const own = byId.get(id)?.provider;
      return own !== undefined && alsoServes(given).includes(own) ? given : own;
    },
    alsoServes,
    servesAny: (provider) => byProvider.get(provider)?.anyModel === true,
    hasSummaryLengths: (provider) => byProvider.get(provider)?.summaryLengths === true,
    supportsImages(id) {
      const model = byId.get(id);
      return model !== undefined && model.images !== false;
    },
    embeddingPrice: (id) => embeddings.get(id),
  };
}
