import type { ModelCapabilities, ModelDescription } from "#domain/models/model-catalogue.ts";

/**
 * Returns what a provider's models accept, by id. A model outside its catalogue gets everything that an agent asks for:
 * it may be newer than this version.
 */
export function capabilitiesOf(models: readonly ModelDescription[]): (modelId: string) => ModelCapabilities {
  const byId = new Map(models.map((model) => [model.id, model]));
  return (modelId) => {
    const model = byId.get(modelId);
    return model === undefined ? {} : { efforts: [], ...model };
  };
}
