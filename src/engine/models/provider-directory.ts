import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { ModelClient } from "#domain/models/model-call.ts";
import { ADDRESS_FIELDS, CONNECTION_FIELDS } from "#domain/models/connection-fields.ts";
import type { ModelCatalogue } from "#domain/models/model-catalogue.ts";
import type { Database } from "#db/database.ts";
import { noteChatOnly, readConnections } from "#db/queries/access/provider-keys.ts";
import type { EncryptedConnection } from "#db/queries/access/provider-keys.ts";
import { serviceIn } from "#domain/access/role.ts";
import { cachedRead } from "#lib/async/cached-read.ts";
import type { Reach } from "#lib/safe-fetch/check-url.ts";
import type { Proxies } from "#lib/safe-fetch/proxies.ts";
import { UnreadableSecretError } from "#lib/security/secret-box.ts";
import type { SecretBox } from "#lib/security/secret-box.ts";
import { providerKeyContext } from "#operations/access/provider-keys.ts";
import type { GivenConnection } from "#domain/models/model-providers.ts";
import type { AnswerLimits, Provider, ProviderConnection } from "#providers/define-provider.ts";
import { RunFailure } from "../run/run-failure.ts";
import { findObstacle, usable } from "./own-connection.ts";
import type { OwnConnection } from "./own-connection.ts";
import type { ProviderDirectory } from "../run/ports.ts";

/** Open clients cached for later calls. */
const MAX_CACHED_CLIENTS = 1_000;

/** Workspaces whose keys are cached. */
const MAX_CACHED_WORKSPACES = 1_000;

/** Dependencies of {@link createProviderDirectory}. */
export interface DirectoryOptions {
  readonly db: Database;
  readonly secrets: SecretBox;
  /** The rule for URLs given by workspaces. */
  readonly reach: Reach;
  readonly providers: readonly Provider[];
  readonly catalogue: ModelCatalogue;
  /** The instance's connections, by provider id. */
  readonly instance: Readonly<Record<string, ProviderConnection>>;
  /** The maximum size of a provider's response. */
  readonly answerLimits: AnswerLimits;
  /** The way out to all providers. */
  readonly proxies: Proxies;
}

/** Creates a directory of the registered providers. */
export function createProviderDirectory(options: DirectoryOptions): ProviderDirectory {
  const byId = new Map(options.providers.map((provider) => [provider.id, provider]));
  const configured = cachedRead(MAX_CACHED_WORKSPACES, (workspaceId) => readOwn(options, workspaceId));
  const cachedClient = createClientCache(options);

  async function connectionFor(workspaceId: string, provider: Provider): Promise<OwnConnection> {
    const instance = { connection: options.instance[provider.id] ?? {}, billing: "per-token" } as const;
    if (!provider.requiresKey && !provider.requiresBaseUrl) return instance;
    const own = (await configured.read(workspaceId)).get(provider.id);
    if (own === undefined) return instance;
    return { ...own, connection: withInstance(provider, own.connection) };
  }

  /** The instance's key is sent only to the instance's own address, never to one given by a workspace. */
  function withInstance({ id }: Provider, own: ProviderConnection): ProviderConnection {
    return hasAddress(own) ? own : { ...options.instance[id], ...own };
  }

  function known(id: string): Provider {
    const provider = byId.get(id);
    if (provider === undefined) throw new RunFailure("PROVIDER_NOT_CONFIGURED", `There is no provider "${id}".`);
    return provider;
  }

  return {
    invalidate: configured.evict,
    async route(workspaceId, { provider: chosen, model }) {
      const id = chosen === "openai-compatible" ? chosen : (options.catalogue.providerOf(model, chosen) ?? chosen);
      const provider = known(id);
      const { connection, billing } = usable(provider, await connectionFor(workspaceId, provider));
      const connected = connectionIdOf(provider, connection);
      const gate = provider.settings && digestOf([connected, model]);
      return { provider: id, model, billing, gate, client: await cachedClient(provider, connection, connected) };
    },
    async connect(workspaceId, { provider: id, given }) {
      const provider = known(id);
      const { connection } = usable(
        provider,
        given === undefined
          ? await connectionFor(workspaceId, provider)
          : { connection: withInstance(provider, connectionOf(options, given)), billing: "per-token" },
      );
      // A key under test is not cached.
      return connectAs(options, provider, connection);
    },
    async findObstacle(workspaceId, provider) {
      return findObstacle(provider, await connectionFor(workspaceId, provider));
    },
  };
}

/** Opens clients, each once. */
function createClientCache(options: DirectoryOptions) {
  const clients = new LRUCache<string, ModelClient>({ max: MAX_CACHED_CLIENTS });
  return async (provider: Provider, connection: ProviderConnection, id: string): Promise<ModelClient> => {
    const client = clients.get(id) ?? (await connectAs(options, provider, connection));
    clients.set(id, client);
    return client;
  };
}

function connectionIdOf({ id }: Provider, connection: ProviderConnection): string {
  return digestOf([id, connection]);
}

function digestOf(parts: readonly unknown[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex");
}

function connectAs({ answerLimits: limits, proxies }: DirectoryOptions, provider: Provider, own: ProviderConnection) {
  return provider.connect({ ...own, limits, proxies });
}

/** The connections that a workspace has stored. */
async function readOwn(
  { db, secrets, reach }: DirectoryOptions,
  workspaceId: string,
): Promise<ReadonlyMap<string, OwnConnection>> {
  const rows = await readConnections(db.inWorkspace(serviceIn(workspaceId)));
  return new Map(
    rows.map((row) => {
      const { provider, ciphertext, billing } = row;
      const apiKey =
        ciphertext === null ? undefined : openKey(secrets, ciphertext, providerKeyContext(workspaceId, provider));
      const connection = {
        ...connectionOf({ reach }, { apiKey, ...storedParts(row) }),
        onChatOnly: () => noteChatOnly(db.inWorkspace(serviceIn(workspaceId)), row),
      };
      return [provider, { billing, connection, isUnreadable: ciphertext !== null && apiKey === undefined }];
    }),
  );
}

function storedParts({ baseUrl, resource, region, project, api }: EncryptedConnection): GivenConnection {
  return {
    baseUrl: baseUrl ?? undefined,
    resource: resource ?? undefined,
    region: region ?? undefined,
    project: project ?? undefined,
    api: api ?? undefined,
  };
}

/** Undefined for a key that cannot be decrypted: the workspace's other providers can still be called. */
function openKey(secrets: SecretBox, ciphertext: string, context: string): string | undefined {
  try {
    return secrets.open(ciphertext, context);
  } catch (error) {
    if (error instanceof UnreadableSecretError) return undefined;
    throw error;
  }
}

/** The connection from what a workspace gives. */
function connectionOf(
  { reach }: Pick<DirectoryOptions, "reach">,
  { apiKey, baseUrl, ...fields }: GivenConnection,
): ProviderConnection {
  const own = {
    ...(apiKey !== undefined && { apiKey }),
    ...(baseUrl !== undefined && { baseUrl }),
    ...Object.fromEntries(
      CONNECTION_FIELDS.flatMap((name) => (fields[name] === undefined ? [] : [[name, fields[name]]])),
    ),
  };
  return hasAddress(own) ? { ...own, reach } : own;
}

function hasAddress(own: ProviderConnection): boolean {
  return own.baseUrl !== undefined || ADDRESS_FIELDS.some((name) => own[name] !== undefined);
}
