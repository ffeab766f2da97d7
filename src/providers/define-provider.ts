import type { ModelClient } from "#domain/model-call.ts";
import type { Reach } from "#lib/safe-fetch/check-url.ts";

/** How to reach a vendor: what a workspace or the instance has configured. */
export interface ProviderConnection {
  /** The secret key; absent for providers that need none. */
  readonly apiKey?: string;
  /** Where the vendor's API is, instead of its own address; no trailing slash. */
  readonly baseUrl?: string;
  /** How far that address may lead; absent for one that the operator has set: anywhere. */
  readonly reach?: Reach;
}

/** A vendor of language models: one file in this folder with this as its default export. */
export interface Provider {
  /** The name in an agent's `provider` field and in settings. */
  readonly id: string;
  /** The name shown to people. */
  readonly label: string;
  /** Whether calls need a secret key. */
  readonly requiresKey: boolean;
  /** Whether calls need a base URL because the vendor has no address of its own. */
  readonly requiresBaseUrl: boolean;
  /** Opens a client; makes no network request. */
  connect(connection: ProviderConnection): ModelClient;
}

/** Declares a provider; the generated registry finds it by its file. */
export function defineProvider(provider: Provider): Provider {
  return provider;
}
