import type { BillingModel } from "#domain/models/model-call.ts";
import type { Provider, ProviderConnection, ProviderSetting } from "#providers/define-provider.ts";
import { RunFailure } from "../run/run-failure.ts";

/** A workspace's connection to a provider and how it pays. */
export interface OwnConnection {
  readonly connection: ProviderConnection;
  readonly billing: BillingModel;
  /** Its key is stored but cannot be decrypted, so the provider cannot be called. */
  readonly isUnreadable?: boolean;
}

/** A connection that is complete. @throws RunFailure `PROVIDER_NOT_CONFIGURED` */
export function usable(provider: Provider, own: OwnConnection): OwnConnection {
  const obstacle = findObstacle(provider, own);
  if (obstacle !== undefined) throw new RunFailure("PROVIDER_NOT_CONFIGURED", obstacle);
  return own;
}

/** What a connection lacks and how to add it; undefined when it is complete. */
export function findObstacle(provider: Provider, { connection, isUnreadable }: OwnConnection): string | undefined {
  const { apiKey, baseUrl } = connection;
  if (isUnreadable === true) {
    return `The workspace's API key for ${provider.label} cannot be decrypted: it was changed, or encrypted with another key. Save it again ${wayToSave(provider)}.`;
  }
  if (provider.requiresKey && apiKey === undefined) {
    return `No API key for ${provider.label}. ${howToAdd(provider, provider.settings?.apiKey)}`;
  }
  if (provider.requiresBaseUrl && baseUrl === undefined) {
    return `No base URL for ${provider.label}. ${howToAdd(provider, provider.settings?.baseUrl)}`;
  }
  const field = provider.missingField?.(connection);
  return field && `No ${field} for ${provider.label}. ${howToAdd(provider, provider.settings?.[field])}`;
}

function howToAdd(provider: Provider, setting: ProviderSetting | undefined): string {
  const ofWorkspace = `Add one to the workspace ${wayToSave(provider)}`;
  return setting === undefined ? `${ofWorkspace}.` : `${ofWorkspace}, or set ${setting.name} for the whole instance.`;
}

function wayToSave({ id }: Provider): string {
  return `with \`muster providers set ${id}\` or PUT /console/api/provider-keys/${id}`;
}
