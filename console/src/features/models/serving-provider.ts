import type { components } from "#client/gen/schema.ts";

type Catalogue = components["schemas"]["ModelCatalogue"];

/** Serves any model itself, also one that has the name of another provider's. */
const OWN_ENDPOINT = "openai-compatible";

/** The provider that serves a model of an agent: the agent's, if it serves it too, else the model's own. */
export function servingProvider(catalogue: Catalogue, model: string, ofAgent: string): string {
  const own = catalogue.models.find(({ id }) => id === model)?.provider;
  const others = catalogue.providers.find(({ id }) => id === ofAgent)?.also_serves ?? [];
  return own === undefined || ofAgent === OWN_ENDPOINT || others.includes(own) ? ofAgent : own;
}
