import { createHash } from "node:crypto";
import type { ModelClient } from "#domain/model-call.ts";
import { findModel } from "#domain/models.ts";
import type { Database } from "#db/database.ts";
import { findProviderKey } from "#db/queries/provider-keys.ts";
import { retryOutage } from "#db/retry-outage.ts";
import { Lru } from "#lib/lru.ts";
import type { SecretBox } from "#lib/secret-box.ts";
import { providerKeyContext } from "#operations/provider-keys.ts";
import type { Provider, ProviderConnection } from "#providers/define-provider.ts";
import { RunFailure } from "./run-failure.ts";

/** Open clients that are kept for the next call. */
const KEPT_CLIENTS = 1_000;

/** A model and the client that reaches it. */
export interface ModelRoute {
  readonly provider: string;
  readonly model: string;
  readonly client: ModelClient;
}

/** Finds the way from a workspace to a model. */
export interface ProviderDirectory {
  /**
   * The client for a model, with the workspace's own key or else the instance's.
   * A model of the catalogue is reached through its own provider; any other through the given one.
   * @throws RunFailure `PROVIDER_NOT_CONFIGURED` telling which key to add and where.
   */
  route(workspaceId: string, choice: { readonly provider: string; readonly model: string }): Promise<ModelRoute>;
}

/** What {@link createProviderDirectory} needs. */
export interface DirectoryOptions {
  readonly db: Database;
  readonly secrets: SecretBox;
  readonly providers: readonly Provider[];
  /** Connections of the whole instance, by provider id. */
  readonly instance: Readonly<Record<string, ProviderConnection>>;
}

/** Makes a directory over the registered providers. */
export function createProviderDirectory(options: DirectoryOptions): ProviderDirectory {
  const byId = new Map(options.providers.map((provider) => [provider.id, provider]));
  const clients = new Lru<ModelClient>(KEPT_CLIENTS);

  async function connectionFor(workspaceId: string, provider: Provider): Promise<ProviderConnection> {
    const own =
      provider.requiresKey || provider.requiresBaseUrl ? await readOwn(options, workspaceId, provider.id) : {};
    return { ...options.instance[provider.id], ...own };
  }

  function connect(provider: Provider, connection: ProviderConnection): ModelClient {
    const id = createHash("sha256")
      .update(JSON.stringify([provider.id, connection]))
      .digest("hex");
    const client = clients.get(id) ?? provider.connect(connection);
    clients.set(id, client);
    return client;
  }

  return {
    async route(workspaceId, { provider: chosen, model }) {
      const id = chosen === "openai-compatible" ? chosen : (findModel(model)?.provider ?? chosen);
      const provider = byId.get(id);
      if (provider === undefined) throw new RunFailure("PROVIDER_NOT_CONFIGURED", `There is no provider "${id}".`);
      const connection = await connectionFor(workspaceId, provider);
      checkConfigured(provider, connection);
      return { provider: id, model, client: connect(provider, connection) };
    },
  };
}

async function readOwn(
  { db, secrets }: DirectoryOptions,
  workspaceId: string,
  providerId: string,
): Promise<ProviderConnection> {
  const row = await retryOutage(() => findProviderKey(db, workspaceId, providerId));
  if (row === undefined) return {};
  return {
    ...(row.ciphertext !== null && {
      apiKey: secrets.open(row.ciphertext, providerKeyContext(workspaceId, providerId)),
    }),
    ...(row.baseUrl !== null && { baseUrl: row.baseUrl }),
  };
}

function checkConfigured(provider: Provider, connection: ProviderConnection): void {
  const env = provider.id.replaceAll("-", "_").toUpperCase();
  if (provider.requiresKey && connection.apiKey === undefined) {
    const variable = provider.id === "google" ? "GOOGLE_GENERATIVE_AI_API_KEY" : `${env}_API_KEY`;
    throw new RunFailure(
      "PROVIDER_NOT_CONFIGURED",
      `No API key for ${provider.label}. Add one to the workspace with PUT /console/api/provider-keys/${provider.id}, ` +
        `or set ${variable} for the whole instance.`,
    );
  }
  if (provider.requiresBaseUrl && connection.baseUrl === undefined) {
    throw new RunFailure(
      "PROVIDER_NOT_CONFIGURED",
      `No base URL for ${provider.label}. Add one to the workspace with PUT /console/api/provider-keys/${provider.id}, ` +
        `or set ${env}_BASE_URL for the whole instance.`,
    );
  }
}
