import type { components } from "#client/gen/schema.ts";

type Key = components["schemas"]["ProviderKey"];
type Provider = components["schemas"]["ModelCatalogue"]["providers"][number];

/** The provider that is built in and needs nothing. */
const BUILT_IN = "demo";

/** A model provider with what the workspace has configured of it. */
export interface ConnectedProvider extends Provider {
  readonly key: Key | undefined;
  /** Whether a workspace can give it a key or a URL. */
  readonly isConfigurable: boolean;
}

/** The providers in the order of the catalogue. */
export function connectedProviders(providers: readonly Provider[], keys: readonly Key[]): readonly ConnectedProvider[] {
  return providers.map((provider) => ({
    ...provider,
    key: keys.find((each) => each.provider === provider.id),
    isConfigurable: provider.id !== BUILT_IN,
  }));
}

/** The origin of its key, as text. */
export function keyLabel({ key, usable, isConfigurable }: ConnectedProvider): string {
  if (!isConfigurable) return "Built in, needs no key";
  if (key === undefined) return usable ? "Key of this service" : "No key";
  return key.last4 === null ? "URL only" : `Key ending in ${key.last4}`;
}
