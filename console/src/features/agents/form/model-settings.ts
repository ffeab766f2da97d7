import type { components } from "#client/gen/schema.ts";
import type { AgentDraft } from "./draft.ts";

type Catalogue = components["schemas"]["ModelCatalogue"];
type Model = Catalogue["models"][number];
type Provider = Catalogue["providers"][number];
type Chosen = Pick<AgentDraft, "provider" | "model">;

/** The provider of a model that is typed, because the catalogue does not list it with this provider. */
export function typedModelProvider(catalogue: Catalogue | undefined, chosen: Chosen): Provider | undefined {
  const provider = catalogue?.providers.find(({ id, any_model }) => any_model && id === chosen.provider);
  const isListed = catalogue?.models.some(({ id, provider: own }) => id === chosen.model && own === chosen.provider);
  return isListed === true ? undefined : provider;
}

/** The model that is chosen, if the catalogue describes it; other providers may serve it, too. */
export function describedModel(catalogue: Catalogue | undefined, chosen: Chosen): Model | undefined {
  const provider = catalogue?.providers.find(({ id }) => id === chosen.provider);
  const serving = new Set([chosen.provider, ...(provider?.also_serves ?? [])]);
  return catalogue?.models.find(({ id, provider: own }) => id === chosen.model && serving.has(own));
}

/** All efforts of reasoning, from none to most; each model accepts some of them. */
export const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const satisfies Model["efforts"];

/** What the form of an agent offers for its model, or the reason why it does not. */
export interface OfferedSettings {
  readonly efforts: readonly string[];
  readonly withoutEfforts: string | undefined;
  readonly withoutTemperature: string | undefined;
}

/** Returns what a model takes. A model that the catalogue does not describe may take everything. */
export function offeredSettings(model: Model | undefined, { effort }: Pick<AgentDraft, "effort">): OfferedSettings {
  if (model === undefined) return { efforts: EFFORTS, withoutEfforts: undefined, withoutTemperature: undefined };
  const { label, efforts, temperature } = model;
  return {
    efforts,
    withoutEfforts: efforts.length === 0 ? `The reasoning of ${label} cannot be adjusted.` : undefined,
    withoutTemperature:
      temperature === "never"
        ? `${label} does not accept a temperature.`
        : temperature === "with_effort_none" && effort !== "none"
          ? `${label} accepts a temperature only with the reasoning effort none.`
          : undefined,
  };
}
