import { ModelError } from "#domain/models/model-call.ts";
import type { ProviderConnection } from "../define-provider.ts";

/**
 * The key of a connection. It must be given: the provider packages would otherwise look
 * into the environment of the process on their own.
 * @throws ModelError of kind `auth` when there is none.
 */
export function requireKey({ apiKey }: ProviderConnection, label: string): string {
  if (apiKey === undefined || apiKey === "") {
    throw new ModelError("auth", `${label} needs an API key.`);
  }
  return apiKey;
}

/**
 * The base URL of a connection to a vendor without an address of its own.
 * @throws ModelError of kind `request` when there is none.
 */
export function requireBaseUrl({ baseUrl }: ProviderConnection, label: string): string {
  if (baseUrl === undefined || baseUrl === "") {
    throw new ModelError("request", `${label} needs a base URL.`);
  }
  return baseUrl;
}
