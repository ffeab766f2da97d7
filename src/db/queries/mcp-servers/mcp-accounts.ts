import type { Database, Transaction, WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";

const DELETE_OF = statement({
  name: "delete-mcp-account-of",
  text: `delete from mcp_accounts where server_id = $1 and user_id is not distinct from $2::uuid`,
});
const INSERT = statement({
  name: "insert-mcp-account",
  text: `
    insert into mcp_accounts (id, workspace_id, server_id, user_id, name, tokens_ciphertext, scope, connected_by, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp() + $9::double precision * interval '1 second')`,
});

/** An account to store. */
export interface NewMcpAccount {
  readonly id: string;
  readonly workspaceId: string;
  readonly serverId: string;
  /** Null for the workspace's account. */
  readonly userId: string | null;
  readonly name: string;
  readonly tokensCiphertext: string;
  readonly scope: string | null;
  readonly connectedBy: string;
  /** Seconds until the access token expires; null when the server did not say. */
  readonly expiresIn: number | null;
}

/** Stores an account, in place of the owner's earlier one. */
export async function replaceMcpAccount(tx: Transaction, account: NewMcpAccount): Promise<void> {
  const { id, workspaceId, serverId, userId, name, tokensCiphertext, scope, connectedBy, expiresIn } = account;
  await tx.query(DELETE_OF, [serverId, userId]);
  const values = [id, workspaceId, serverId, userId, name, tokensCiphertext, scope, connectedBy, expiresIn];
  await tx.query(INSERT, values);
}

/** An account without its tokens. */
export interface McpAccountState {
  readonly id: string;
  readonly status: "connected" | "lost";
  readonly error: string | null;
  readonly scope: string | null;
}

const FIND = statement({
  name: "find-mcp-account",
  text: `
    select id, status, error, scope from mcp_accounts where server_id = $1 and user_id is not distinct from $2::uuid`,
});

/** The account of a person, or of the workspace for null. */
export async function findMcpAccount(
  db: WorkspaceDatabase,
  serverId: string,
  userId: string | null,
): Promise<McpAccountState | undefined> {
  const [row] = await db.query<McpAccountState>(FIND, [serverId, userId]);
  return row;
}

const HAS_CONNECTED = statement({
  name: "has-connected-mcp-account",
  text: `select exists (select from mcp_accounts where server_id = $1 and status = 'connected') as found`,
});

/** Whether anybody's account at a server works. */
export async function hasConnectedAccount(db: WorkspaceDatabase, serverId: string): Promise<boolean> {
  const [row] = await db.query<{ found: boolean | null }>(HAS_CONNECTED, [serverId]);
  return row?.found === true;
}

const FIND_FOR_RUN = statement({
  name: "find-mcp-account-for-run",
  text: `
    select a.id, a.status, a.error, a.scope, a.user_id as "userId" from mcp_accounts a
    where a.workspace_id = $1 and a.server_id = $2 and a.user_id = any(array[starter_of($3), $4::uuid])
    order by a.status = 'connected' desc, a.user_id is distinct from $4 desc limit 1`,
});

/** The account that a call of a run may use: of the person who started the run, or else of the one who approved the call. */
export async function findMcpAccountForRun(
  db: Database,
  {
    workspaceId,
    serverId,
    runId,
    approver,
  }: {
    readonly workspaceId: string;
    readonly serverId: string;
    readonly runId: string;
    readonly approver: string | null;
  },
): Promise<(McpAccountState & { readonly userId: string | null }) | undefined> {
  const values = [workspaceId, serverId, runId, approver];
  const [row] = await db.query<McpAccountState & { readonly userId: string | null }>(FIND_FOR_RUN, values);
  return row;
}

const APPROVER = statement({
  name: "approver-of-call",
  text: `
    select s.facts->'answeredBy'->>'userId' as id from run_steps s
    where s.run_id = $1 and s.attempt = $2 and (s.key = $3 || 'answer:approval:' || $4
        or starts_with(s.key, $3 || 'answer:pause:' || $4 || ':'))
      and s.result->>'approved' = 'true' and s.facts->'answeredBy'->>'keyId' is null
      and s.facts->>'answeredVia' in ('console', 'ag-ui')
      and s.facts->>'takenOver' is null
    order by s.ended_at desc limit 1`,
});

/**
 * The signed-in person who approved a call; undefined when nobody did. A channel only vouches for who pressed. What
 * was approved in another run is not approved in its fork.
 * @param prefix of the keys of the turn's steps; empty for a task
 */
export async function readApprover(
  db: Database,
  {
    runId,
    attempt,
    prefix,
    callId,
  }: { readonly runId: string; readonly attempt: number; readonly prefix: string; readonly callId: string },
): Promise<string | undefined> {
  const [row] = await db.query<{ id: string | null }>(APPROVER, [runId, attempt, prefix, callId]);
  return row?.id ?? undefined;
}

const READ = statement({
  name: "read-mcp-account",
  text: `
    select tokens_ciphertext as "tokensCiphertext", status, error, scope,
      (extract(epoch from expires_at - clock_timestamp()))::double precision as "expiresIn",
      (extract(epoch from expires_at - updated_at))::double precision as "lifetime",
      coalesce(refreshing_until < clock_timestamp(), false) as "isAbandoned"
    from mcp_accounts where workspace_id = $1 and id = $2`,
});

/** An account with its encrypted tokens. */
export interface McpAccountRow extends Omit<McpAccountState, "id"> {
  readonly tokensCiphertext: string;
  /** Seconds until the access token expires; null when the server did not say. */
  readonly expiresIn: number | null;
  /** Seconds for which it was granted. */
  readonly lifetime: number | null;
  /** A process began a refresh, and nobody knows how it ended. */
  readonly isAbandoned: boolean;
}

/** Reads an account, as the service itself. */
export async function readMcpAccount(
  db: Database,
  { workspaceId, id }: McpAccountId,
): Promise<McpAccountRow | undefined> {
  const [row] = await db.query<McpAccountRow>(READ, [workspaceId, id]);
  return row;
}

/** The id of an account and of its workspace. */
export interface McpAccountId {
  readonly workspaceId: string;
  readonly id: string;
}

const CLAIM = statement({
  name: "claim-mcp-refresh",
  text: `
    update mcp_accounts set refresh_id = $3, refreshing_until = clock_timestamp() + $4 * interval '1 millisecond'
    where workspace_id = $1 and id = $2 and status = 'connected' and tokens_ciphertext = $5
      and (refreshing_until is null or ($6 and refreshing_until < clock_timestamp()))
    returning id`,
});

/** A refresh by one process, for all. */
export interface McpRefresh extends McpAccountId {
  readonly refreshId: string;
}

/**
 * Begins the refresh of tokens as they were read; false when others have begun one, or have changed the tokens.
 * @param again whether a refresh may follow one whose end nobody knows
 */
export async function claimMcpRefresh(
  db: Database,
  { workspaceId, id, refreshId }: McpRefresh,
  {
    tokensCiphertext,
    forMs,
    again,
  }: { readonly tokensCiphertext: string; readonly forMs: number; readonly again: boolean },
): Promise<boolean> {
  return (await db.query(CLAIM, [workspaceId, id, refreshId, forMs, tokensCiphertext, again])).length === 1;
}

const WRITE = statement({
  name: "write-mcp-tokens",
  text: `
    update mcp_accounts set tokens_ciphertext = $4, expires_at = clock_timestamp() + $5::double precision * interval '1 second',
      status = 'connected', error = null, refresh_id = null, refreshing_until = null, updated_at = clock_timestamp()
    where workspace_id = $1 and id = $2 and refresh_id = $3`,
});

/** Ends a refresh with its tokens. */
export async function writeMcpTokens(
  db: Database,
  { workspaceId, id, refreshId }: McpRefresh,
  { tokensCiphertext, expiresIn }: { readonly tokensCiphertext: string; readonly expiresIn: number | null },
): Promise<void> {
  await db.query(WRITE, [workspaceId, id, refreshId, tokensCiphertext, expiresIn]);
}

const RELEASE = statement({
  name: "release-mcp-refresh",
  text: `
    update mcp_accounts set refresh_id = null, refreshing_until = null
    where workspace_id = $1 and id = $2 and refresh_id = $3`,
});

/** Ends a refresh that was not made; the next use tries again. */
export async function releaseMcpRefresh(db: Database, { workspaceId, id, refreshId }: McpRefresh): Promise<void> {
  await db.query(RELEASE, [workspaceId, id, refreshId]);
}

const LOSE = statement({
  name: "lose-mcp-account",
  text: `
    update mcp_accounts set status = 'lost', error = $3, scope = coalesce($4, scope), refresh_id = null,
      refreshing_until = null, updated_at = clock_timestamp()
    where workspace_id = $1 and id = $2 and status = 'connected' and ($5::text is null or tokens_ciphertext = $5)`,
});

/** Notes that an account must be connected again, unless its tokens are others by now. */
export async function loseMcpAccount(
  db: Database,
  { workspaceId, id }: McpAccountId,
  { error, scope = null, tokensCiphertext = null }: LostMcpAccount,
): Promise<void> {
  await db.query(LOSE, [workspaceId, id, error, scope, tokensCiphertext]);
}

/** Why an account is lost. */
export interface LostMcpAccount {
  readonly error: string;
  /** The scope to ask for when it is connected again. */
  readonly scope?: string | null;
  /** The tokens that were rejected. */
  readonly tokensCiphertext?: string | null;
}

const SAVE_CLIENT = statement({
  name: "save-mcp-client",
  text: `update mcp_servers set client_ciphertext = $2 where id = $1`,
});

/** Stores the OAuth client of a server, encrypted; null removes it. */
export async function saveMcpClient(tx: Transaction, serverId: string, ciphertext: string | null): Promise<void> {
  await tx.query(SAVE_CLIENT, [serverId, ciphertext]);
}

const DELETE_ALL = statement({
  name: "delete-mcp-accounts",
  text: `delete from mcp_accounts where server_id = $1`,
});

/** Deletes all accounts at a server. */
export async function deleteMcpAccounts(tx: Transaction, serverId: string): Promise<void> {
  await tx.query(DELETE_ALL, [serverId]);
}

const LIST = statement({
  name: "list-mcp-accounts",
  text: `
    select to_json(r) as record from mcp_account_records r where r.server_id = $1
    order by r.person is not null, r.connected_at limit $2`,
});

/** The accounts at a server as the API shows them. */
export async function listMcpAccounts(
  db: WorkspaceDatabase,
  serverId: string,
  limit: number,
): Promise<readonly unknown[]> {
  const rows = await db.query<{ record: unknown }>(LIST, [serverId, limit]);
  return rows.map(({ record }) => record);
}

const TAKE = statement({
  name: "read-mcp-account-owner",
  text: `select id, user_id as "userId" from mcp_accounts where server_id = $1 and id = $2`,
});

/** Whose account it is; undefined when the server has none with this id. */
export async function ownerOfMcpAccount(
  tx: Transaction,
  serverId: string,
  id: string,
): Promise<{ readonly id: string; readonly userId: string | null } | undefined> {
  const [row] = await tx.query<{ id: string; userId: string | null }>(TAKE, [serverId, id]);
  return row;
}

const DELETE = statement({ name: "delete-mcp-account", text: `delete from mcp_accounts where id = $1` });

/** Deletes an account. */
export async function deleteMcpAccount(tx: Transaction, id: string): Promise<void> {
  await tx.query(DELETE, [id]);
}
