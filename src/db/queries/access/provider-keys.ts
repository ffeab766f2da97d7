import type { ConnectionFields } from "#domain/models/connection-fields.ts";
import type { BillingModel } from "#domain/models/model-call.ts";
import type { Transaction, WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";

const CONNECTIONS = statement({
  name: "provider-connections",
  text: `select provider, ciphertext, base_url as "baseUrl", billing_model as billing, resource, region, project, api
    from provider_keys where workspace_id = current_workspace_id()`,
});

/** The fields of a connection, null where it has none. */
type StoredFields = {
  readonly [field in keyof ConnectionFields]-?: Exclude<ConnectionFields[field], undefined> | null;
};

/** A workspace's connection to a provider, with its key encrypted. */
export interface EncryptedConnection extends StoredFields {
  readonly provider: string;
  readonly ciphertext: string | null;
  readonly baseUrl: string | null;
  readonly billing: BillingModel;
}

/** Reads a workspace's provider connections. */
export function readConnections(db: WorkspaceDatabase): Promise<EncryptedConnection[]> {
  return db.query<EncryptedConnection>(CONNECTIONS);
}

const LIST = statement({
  name: "list-provider-keys",
  text: `
    select provider, last4, base_url, resource, region, project, api, billing_model,
      iso(created_at) as created_at, iso(updated_at) as updated_at
    from provider_keys where workspace_id = current_workspace_id() order by provider`,
});

/** A provider connection as lists show it, without the key. */
export interface ProviderKeyRow extends StoredFields {
  readonly provider: string;
  readonly last4: string | null;
  readonly base_url: string | null;
  readonly billing_model: BillingModel;
  readonly created_at: string;
  readonly updated_at: string;
}

/** Lists the providers that a workspace has configured. */
export function listProviderKeys(db: WorkspaceDatabase): Promise<ProviderKeyRow[]> {
  return db.query<ProviderKeyRow>(LIST);
}

const SAVE = statement({
  name: "save-provider-key",
  text: `
    insert into provider_keys
      (workspace_id, provider, ciphertext, last4, base_url, billing_model, resource, region, project, api)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
    on conflict (workspace_id, provider) do update set ciphertext = excluded.ciphertext, last4 = excluded.last4,
      base_url = excluded.base_url, billing_model = excluded.billing_model, resource = excluded.resource,
      region = excluded.region, project = excluded.project, api = excluded.api, updated_at = now()
    returning provider, last4, base_url, resource, region, project, api, billing_model,
      iso(created_at) as created_at, iso(updated_at) as updated_at`,
});

/** Stores or replaces a workspace's connection to a provider. */
export async function saveProviderKey(
  tx: Transaction,
  key: { readonly workspaceId: string; readonly last4: string | null } & EncryptedConnection,
): Promise<ProviderKeyRow | undefined> {
  const [row] = await tx.query<ProviderKeyRow>(SAVE, [
    key.workspaceId,
    key.provider,
    key.ciphertext,
    key.last4,
    key.baseUrl,
    key.billing,
    key.resource,
    key.region,
    key.project,
    key.api,
  ]);
  return row;
}

// A connection that was saved again meanwhile may lead elsewhere.
const NOTE_CHAT = statement({
  name: "note-chat-only",
  text: `
    update provider_keys set api = 'chat'
    where workspace_id = current_workspace_id() and provider = $1 and api is null
      and base_url is not distinct from $2 and resource is not distinct from $3`,
});

/** Keeps that a connection's endpoint has only Chat Completions, unless it was changed. */
export async function noteChatOnly(
  db: WorkspaceDatabase,
  { provider, baseUrl, resource }: Pick<EncryptedConnection, "provider" | "baseUrl" | "resource">,
): Promise<void> {
  await db.query(NOTE_CHAT, [provider, baseUrl, resource]);
}

const DELETE = statement({
  name: "delete-provider-key",
  text: `delete from provider_keys where provider = $1 returning provider`,
});

/** Deletes a workspace's connection to a provider; returns whether there was one. */
export async function deleteProviderKey(tx: Transaction, provider: string): Promise<boolean> {
  return (await tx.query(DELETE, [provider])).length === 1;
}
