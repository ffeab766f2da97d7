import type { ConnectionField, ConnectionFields } from "#domain/models/connection-fields.ts";
import type { ProviderModels } from "#domain/models/model-catalogue.ts";
import type { ModelClient } from "#domain/models/model-call.ts";
import type { Reach } from "#lib/safe-fetch/check-url.ts";
import type { Proxies } from "#lib/safe-fetch/proxies.ts";

/** A configured connection to a provider, of a workspace or the instance. */
export interface ProviderConnection extends ConnectionFields {
  /** The secret key; absent for providers without one. */
  readonly apiKey?: string;
  /** Replaces the provider's own API URL; no trailing slash. */
  readonly baseUrl?: string;
  /** The rule for that URL; absent for one set by the operator, which may be anything. */
  readonly reach?: Reach;
  /** The way out of this process; absent: directly. */
  readonly proxies?: Proxies;
  /** The limits of a response; default: {@link DEFAULT_ANSWER_LIMITS}. */
  readonly limits?: AnswerLimits;
  /** Called when a call shows that the endpoint has only Chat Completions; absent: it is not stored. */
  readonly onChatOnly?: () => Promise<void>;
}

/** The limits of a response, in bytes as received. */
export interface AnswerLimits {
  readonly bytes: number;
  /** The limit of one line of an event stream, which must be buffered completely. */
  readonly lineBytes: number;
}

/** Enough for the longest answers of current models, which take a few hundred bytes per token. */
export const DEFAULT_ANSWER_LIMITS: AnswerLimits = { bytes: 64 * 1024 * 1024, lineBytes: 4 * 1024 * 1024 };

/** A setting of the operator: the environment variable, and its description in `.env.example`. */
export interface ProviderSetting {
  readonly name: string;
  readonly help: string;
}

/** The settings of a provider: its key, its base URL, and those fields of a connection that it has. */
export type ProviderSettings = { readonly apiKey: ProviderSetting; readonly baseUrl: ProviderSetting } & {
  readonly [field in ConnectionField]?: ProviderSetting;
};

/**
 * A model provider: one file in this folder, with the provider as its default export. Its models have list prices: the
 * regular price where an introductory one ends. Special prices of batches, regions and priorities are left out, so a
 * computed cost is an estimate.
 */
export interface Provider extends ProviderModels {
  /** The id in an agent's `provider` field and in settings. */
  readonly id: string;
  /** The display name. */
  readonly label: string;
  /** The settings that connect the whole instance; absent for a provider without a connection. */
  readonly settings?: ProviderSettings;
  /** What its key is, for forms; absent: an API key. */
  readonly keyHelp?: string;
  /** Returns what is wrong with a key, as `must …`; absent: any text may be one. */
  keyProblem?(key: string): string | undefined;
  /** Returns a field that a connection lacks to be complete. */
  missingField?(connection: ProviderConnection): ConnectionField | undefined;
  /** A cheap model that every key of the provider can call; absent when only the workspace knows the models. */
  readonly testModel?: string;
  /** Whether calls need a secret key. */
  readonly requiresKey: boolean;
  /** Whether calls need a base URL, because the provider has no default URL. */
  readonly requiresBaseUrl: boolean;
  /** Loads the vendor's SDK, which a start does not need, and creates a client; makes no network request. */
  connect(connection: ProviderConnection): Promise<ModelClient>;
}

/** Defines a provider; the generated registry imports it from its file. */
export function defineProvider(provider: Provider): Provider {
  return provider;
}
