import type { KeyScope } from "#domain/access/api-key.ts";
import type { AppClient } from "#domain/access/connected-app.ts";
import type { Transaction, WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";

const LIST = statement({
  name: "list-connected-apps",
  text: `
    select k.id, k.label as name, k.app, k.scopes, k.agents, k.teams, u.name as person, k.created_by,
      iso(k.last_used_at) as last_used_at, iso(k.created_at) as created_at
    from api_keys k join users u on u.id = k.created_by
    where k.workspace_id = $1 and k.app is not null and ($2 or k.created_by = $3)
    order by k.created_at desc, k.id desc limit 500`,
  narrows: ["app"],
});

/** A program that a person has connected. Times are ISO 8601. */
export interface AppRecord {
  /** The id of its key. */
  readonly id: string;
  readonly name: string;
  readonly app: AppClient;
  readonly scopes: readonly KeyScope[];
  /** The ids of the agents to which it is limited; null without a limit. */
  readonly agents: readonly string[] | null;
  readonly teams: readonly string[] | null;
  /** The name of the person who connected it. */
  readonly person: string;
  readonly created_by: string;
  readonly last_used_at: string | null;
  readonly created_at: string;
}

/** Lists the apps of a workspace, newest first: all, or those of the caller. */
export function listApps(db: WorkspaceDatabase, all: boolean): Promise<AppRecord[]> {
  return db.query<AppRecord>(LIST, [db.who.workspaceId, all, db.who.userId]);
}

const DELETE = statement({
  name: "delete-connected-app",
  text: `
    delete from api_keys where id = $1 and app is not null and ($2::uuid is null or created_by = $2)
    returning key_hash`,
});

/** Deletes an app's key, if it is this person's; returns its hash. */
export async function deleteApp(tx: Transaction, id: string, ownerId: string | null): Promise<string | undefined> {
  return (await tx.query<{ key_hash: string }>(DELETE, [id, ownerId]))[0]?.key_hash;
}

const DELETE_UNUSED = statement({
  name: "delete-unused-apps",
  text: `
    delete from api_keys k where k.app is not null and k.created_at < now() - interval '1 hour'
      and not exists (
        select from oauth_records r where r.key_id = k.id and r.model in ('AccessToken', 'RefreshToken')
          and r.consumed_at is null and r.expires_at > now())`,
});

/** Deletes the keys of apps that hold no token any more: they were not used for a month, or never fetched one. */
export async function deleteUnusedApps(db: Pick<Transaction, "query">): Promise<void> {
  await db.query(DELETE_UNUSED);
}

const DELETE_EXPIRED = statement({
  name: "delete-expired-oauth-records",
  text: `delete from oauth_records where expires_at < now()`,
});

/** Deletes expired records of the authorization server. */
export async function deleteExpiredOAuthRecords(db: Pick<Transaction, "query">): Promise<void> {
  await db.query(DELETE_EXPIRED);
}
