import type { ProviderModels } from "#domain/models/model-catalogue.ts";
import type { ModelClient } from "#domain/models/model-call.ts";
import type { Reach } from "#lib/safe-fetch/check-url.ts";

/** How to reach a vendor: what a workspace or the instance has configured. */
export interface ProviderConnection {
  /** The secret key; absent for providers that need none. */
  readonly apiKey?: string;
  /** Where the vendor's API is, instead of its own address; no trailing slash. */
  readonly baseUrl?: string;
  /** How far that address may lead; absent for one that the operator has set: anywhere. */
  readonly reach?: Reach;
  /** How much one answer may have; absent: {@link DEFAULT_ANSWER_LIMITS}. */
  readonly limits?: AnswerLimits;
}

/** How much a vendor may send in answer to one request, in bytes as they come. */
export interface AnswerLimits {
  readonly bytes: number;
  /** Of one line of a stream of server-sent events, all of which has to be kept until it ends. */
  readonly lineBytes: number;
}

/** Room for the longest answers of today's models, which take some hundred bytes per token. */
export const DEFAULT_ANSWER_LIMITS: AnswerLimits = { bytes: 64 * 1024 * 1024, lineBytes: 4 * 1024 * 1024 };

/** A setting of the operator: the environment variable, and what `.env.example` says of it. */
export interface ProviderSetting {
  readonly name: string;
  readonly help: string;
}

/**
 * A vendor of language models: one file in this folder with this as its default export. Its models have list prices:
 * where an introductory price runs out, the lasting one is given; cached input, batches and very long prompts have
 * prices of their own that are left out, so a cost computed from them is an estimate.
 */
export interface Provider extends ProviderModels {
  /** The name in an agent's `provider` field and in settings. */
  readonly id: string;
  /** The name shown to people. */
  readonly label: string;
  /** With which settings the operator connects the whole instance; absent for a provider that needs no connection. */
  readonly settings?: { readonly apiKey: ProviderSetting; readonly baseUrl: ProviderSetting };
  /** A cheap model that every key of the vendor can call; absent where only the workspace knows the models. */
  readonly testModel?: string;
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
