import type { Role } from "#domain/access/role.ts";
import type { WorkspaceChange } from "#domain/access/workspace-change.ts";
import type { Database, Transaction, WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";

const RECORD = `w.id, w.slug, w.name, w.plan, m.role, w.paused, w.answer_links, w.run_links, w.require_passkeys, w.log_url,
  w.trace_url, w.retention_tasks_days, iso(w.created_at) as created_at, iso(w.updated_at) as updated_at`;

/** A workspace as a member sees it. Times are ISO 8601. */
export interface WorkspaceRecord {
  readonly id: string;
  /** The name in the console's URLs; the workspace's earlier slugs lead to it, too. */
  readonly slug: string;
  readonly name: string;
  readonly plan: string;
  /** The member's role in it. */
  readonly role: Role;
  /** Whether new runs are held; active runs continue. */
  readonly paused: boolean;
  /** Whether members may create links to answer one question. */
  readonly answer_links: boolean;
  /** Whether members may create links that show one run. */
  readonly run_links: boolean;
  /** Whether a password alone does not open it. */
  readonly require_passkeys: boolean;
  /** URL templates for the operator's own tools; null without any. */
  readonly log_url: string | null;
  readonly trace_url: string | null;
  /** Days that it keeps ended runs; null: as long as the instance. */
  readonly retention_tasks_days: number | null;
  readonly created_at: string;
  readonly updated_at: string;
}

const READ = statement({
  name: "read-workspace",
  text: `
    select ${RECORD}, json_build_object(
      'records', json_build_object('used', q.records, 'limit', q.max_records),
      'stored_bytes', json_build_object('used', q.stored_bytes, 'limit', q.max_stored_bytes),
      'schedules', json_build_object('used', (select count(*) from schedules), 'limit', q.max_schedules),
      'alerts', json_build_object('used', (select count(*) from alerts), 'limit', q.max_alerts)
    ) as quotas
    from workspaces w
    join members m on m.workspace_id = w.id and m.user_id = $2
    join workspace_quotas q on q.workspace_id = w.id
    where w.id = $1`,
});

/** The amount of one kind of data in a workspace, and its limit; null without a limit. */
export interface QuotaRecord {
  readonly used: number;
  readonly limit: number | null;
}

/** A workspace with its quotas, as a member sees it. */
export interface WorkspaceDetails extends WorkspaceRecord {
  readonly quotas: Readonly<Record<"records" | "stored_bytes" | "schedules" | "alerts", QuotaRecord>>;
}

/** Reads a member's workspace; undefined when the person is not a member. */
export async function readWorkspace(db: WorkspaceDatabase): Promise<WorkspaceDetails | undefined> {
  const values = [db.who.workspaceId, db.who.userId];
  const [row] = await db.query<WorkspaceDetails>(READ, values);
  return row;
}

const LIST = statement({
  name: "list-workspaces-of-user",
  text: `
    select ${RECORD} from members m join workspaces w on w.id = m.workspace_id
    where m.user_id = $1 order by w.created_at, w.id`,
});

/** Lists a person's workspaces, oldest first. */
export function listWorkspaces(db: Database, userId: string): Promise<WorkspaceRecord[]> {
  return db.query<WorkspaceRecord>(LIST, [userId]);
}

const CHANGE = statement({
  name: "change-workspace",
  text: `
    update workspaces w set name = coalesce(c.name, w.name), paused = coalesce(c.paused, w.paused),
      answer_links = coalesce(c.answer_links, w.answer_links), run_links = coalesce(c.run_links, w.run_links),
      require_passkeys = coalesce(c.require_passkeys, w.require_passkeys),
      log_url = case when $2::jsonb ? 'log_url' then c.log_url else w.log_url end,
      trace_url = case when $2::jsonb ? 'trace_url' then c.trace_url else w.trace_url end,
      retention_tasks_days = case when $2::jsonb ? 'retention_tasks_days' then c.retention_tasks_days else w.retention_tasks_days end,
      updated_at = now()
    from jsonb_to_record($2::jsonb) as c (name text, paused boolean, answer_links boolean, run_links boolean, require_passkeys boolean, log_url text, trace_url text,
      retention_tasks_days integer)
    where w.id = $1`,
});

/** Changes a workspace. */
export async function changeWorkspace(tx: Transaction, workspaceId: string, change: WorkspaceChange): Promise<void> {
  await tx.query(CHANGE, [workspaceId, JSON.stringify(change)]);
}

const OWNS_FIRST = statement({
  name: "owns-first-workspace",
  text: `
    select exists (
      select from members where user_id = $1 and role = 'owner'
        and workspace_id = (select id from workspaces where deleted_at is null order by created_at, id limit 1)
    ) as owns`,
});

/** Whether a person owns the instance's first workspace and so is its operator. */
export async function ownsFirstWorkspace(db: Database, userId: string): Promise<boolean> {
  const [row] = await db.query<{ owns: boolean }>(OWNS_FIRST, [userId]);
  return row?.owns === true;
}

const LOCK_OWNER = statement({ name: "lock-owner", text: `select from users where id = $1 for update` });
const COUNT_OWNED = statement({
  name: "count-owned-workspaces",
  text: `select count(*)::integer as owned from members where user_id = $1 and role = 'owner'`,
});

/** The number of workspaces that a person owns; locks further additions for the person until the transaction ends. */
export async function countOwned(tx: Transaction, userId: string): Promise<number> {
  await tx.query(LOCK_OWNER, [userId]);
  const [row] = await tx.query<{ owned: number }>(COUNT_OWNED, [userId]);
  return row?.owned ?? 0;
}

const CREATE = statement({
  name: "create-workspace",
  text: `
    with w as (insert into workspaces (id, name, plan) values ($1, $2, $3) returning *),
    m as (insert into members (workspace_id, user_id, role) select w.id, $4, 'owner' from w returning role)
    select ${RECORD} from w, m`,
});

/** A workspace for an existing account. */
export interface NewWorkspace {
  readonly id: string;
  readonly name: string;
  readonly plan: string;
  readonly ownerId: string;
}

/** Creates a workspace with its owner. */
export async function createWorkspace(
  tx: Pick<Transaction, "query">,
  workspace: NewWorkspace,
): Promise<WorkspaceRecord | undefined> {
  const { id, name, plan, ownerId } = workspace;
  const [row] = await tx.query<WorkspaceRecord>(CREATE, [id, name, plan, ownerId]);
  return row;
}

const LOCK = statement({
  name: "lock-workspace",
  text: `
    select w.name, (select role from members where workspace_id = w.id and user_id = $2) as role,
      w.id = (select id from workspaces where deleted_at is null order by created_at, id limit 1) as "isFirst"
    from workspaces w where w.id = $1 and w.deleted_at is null for update of w`,
});

/** The facts that decide whether a workspace may be deleted. */
export interface LockedWorkspace {
  readonly name: string;
  /** The person's current role in it; null when the person is not a member. */
  readonly role: Role | null;
  /** Whether it is the instance's first workspace, whose owners operate the instance. */
  readonly isFirst: boolean;
}

/** Reads a workspace and blocks additions to it until the transaction ends. */
export async function lockWorkspace(
  tx: Transaction,
  workspaceId: string,
  userId: string,
): Promise<LockedWorkspace | undefined> {
  const [row] = await tx.query<LockedWorkspace>(LOCK, [workspaceId, userId]);
  return row;
}
