import type { Role } from "#domain/access/role.ts";
import { isUuid } from "#lib/ids.ts";
import type { Transaction, WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";
import { LAST_ID, pageOf, pageValues } from "../row-pages.ts";
import type { RowPage, SearchedPage } from "../row-pages.ts";

const RECORD = `s.id, s.name, m.role, s.client, s.networks, iso(s.created_at) as created_at`;

/** A service account as lists show it. */
export interface ServiceAccountRecord {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  /** The client id of the program at the OpenID provider that acts as it; null for one that an admin has created. */
  readonly client: string | null;
  /** Those from which all its keys may be used; null for everywhere. */
  readonly networks: readonly string[] | null;
  /** ISO 8601. */
  readonly created_at: string;
}

const LIST = statement({
  name: "list-service-accounts",
  text: `
    select ${RECORD} from service_accounts s join members m on m.workspace_id = s.workspace_id and m.user_id = s.id
    where s.workspace_id = $1 and s.removed_at is null
      and ($2::timestamptz is null or (s.created_at, s.id) > ($2, coalesce($3::uuid, ${LAST_ID})))
      and ($5::text is null or strpos(lower(s.name), lower($5)) > 0 or starts_with(s.id::text, lower($5)))
    order by s.created_at, s.id limit $4::integer + 1`,
});

/** Lists a workspace's service accounts, oldest first. */
export async function listServiceAccounts(
  db: WorkspaceDatabase,
  page: SearchedPage,
): Promise<RowPage<ServiceAccountRecord>> {
  const values = [db.who.workspaceId, ...pageValues(page), page.q ?? null];
  const rows = await db.query<ServiceAccountRecord>(LIST, values);
  return pageOf(rows, page.limit, ({ id }) => id);
}

const READ = statement({
  name: "read-service-account",
  text: `
    select ${RECORD} from service_accounts s join members m on m.workspace_id = s.workspace_id and m.user_id = s.id
    where s.id = $1 and s.removed_at is null`,
});

/** Reads one; undefined when the workspace has no such account, or it was removed. */
export async function readServiceAccount(tx: Transaction, id: string): Promise<ServiceAccountRecord | undefined> {
  return (await tx.query<ServiceAccountRecord>(READ, [id]))[0];
}

const CREATE = statement({
  name: "create-service-account",
  text: `select create_service_account($1, $2, $3, $4, $5) is null as done`,
});

/** A service account to store. */
export interface NewServiceAccount {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly role: Role;
  readonly client: string | null;
}

/** Stores a service account, with its membership. */
export async function createServiceAccount(tx: Transaction, account: NewServiceAccount): Promise<void> {
  const { id, workspaceId, name, role, client } = account;
  await tx.query(CREATE, [id, workspaceId, name, role, client]);
}

const CHANGE = statement({
  name: "change-service-account",
  text: `
    update service_accounts s set (name, networks) = (select r.name, r.networks from jsonb_populate_record(s, $2) r)
    where id = $1`,
});

/** Changes an account's name, wherever it is shown, and its networks; absent fields stay. */
export async function changeServiceAccount(
  tx: Transaction,
  id: string,
  patch: { readonly name?: string | undefined; readonly networks?: readonly string[] | null | undefined },
): Promise<void> {
  await tx.query(CHANGE, [id, JSON.stringify(patch)]);
}

const REMOVE = statement({
  name: "remove-service-account",
  text: `
    with removed as (update service_accounts set removed_at = now() where id = $1 returning id, workspace_id)
    delete from members m using removed r where m.workspace_id = r.workspace_id and m.user_id = r.id`,
});

/** Ends an account with its keys. Its name stays in the records. */
export async function removeServiceAccount(tx: Transaction, id: string): Promise<void> {
  await tx.query(REMOVE, [id]);
}

const FIND_CLIENT = statement({
  name: "find-client-account",
  text: `
    select w.id as "workspaceId", m.user_id as id, m.role, s.networks
    from (select workspace_id from workspace_slugs where slug = $1 union select $3::uuid) named (id)
    join workspaces w on w.id = named.id and w.deleted_at is null
    left join service_accounts s on s.workspace_id = w.id and s.client = $2 and s.removed_at is null
    left join members m on m.workspace_id = w.id and m.user_id = s.id`,
});

/** The service account of a program in a workspace. */
export interface ClientAccount {
  readonly workspaceId: string;
  /** Null for a program that has not called yet. */
  readonly id: string | null;
  readonly role: Role | null;
  readonly networks: readonly string[] | null;
}

/** Finds the account of a provider's client in a workspace, by its id or a slug, also a former one; undefined without that workspace. */
export async function findClientAccount(
  tx: Pick<Transaction, "query">,
  of: { readonly workspace: string; readonly client: string },
): Promise<ClientAccount | undefined> {
  const values = [of.workspace, of.client, isUuid(of.workspace) ? of.workspace : null];
  return (await tx.query<ClientAccount>(FIND_CLIENT, values))[0];
}
