import { ModelError } from "#domain/models/model-call.ts";
import type { ProviderConnection } from "../define-provider.ts";

/**
 * The connection's key. It must be passed explicitly: otherwise the provider packages would read the process's
 * environment.
 * @throws ModelError of kind `auth` when it is missing
 */
export function requireKey({ apiKey }: ProviderConnection, label: string): string {
  if (apiKey === undefined || apiKey === "") {
    throw new ModelError("auth", `${label} needs an API key.`);
  }
  return apiKey;
}

/**
 * The base URL of a connection to a provider without a default URL.
 * @throws ModelError of kind `request` when it is missing
 */
export function requireBaseUrl({ baseUrl }: ProviderConnection, label: string): string {
  if (baseUrl === undefined || baseUrl === "") {
    throw new ModelError("request", `${label} needs a base URL.`);
  }
  return baseUrl;
}
