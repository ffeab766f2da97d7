import type { Role } from "#domain/access/role.ts";
import { MAX_OPEN_LINKS } from "#domain/runs/run-link.ts";
import type { RunLinkRecord } from "#domain/runs/run-link.ts";
import type { Database, Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const INSERT = statement({
  name: "insert-run-link",
  text: `
    with allowed as (
      select run_links as allowed, (
          select count(*) from run_links l
          where l.run_id = $4 and l.revoked_at is null and l.expires_at > now()
        ) >= ${MAX_OPEN_LINKS} as full from workspaces where id = $3
    ), made as (
      insert into run_links (id, token_hash, workspace_id, run_id, attempt, shows_steps, shows_cost, created_by, expires_at)
      select $1, $2, $3, $4, $5, $6, $7, $8, $9 from allowed where allowed and not allowed.full
    )
    select allowed, allowed.full as "isFull" from allowed`,
});

/** A link to store. */
export interface NewRunLink extends Pick<
  RunLinkRecord,
  "id" | "attempt" | "shows_steps" | "shows_cost" | "expires_at"
> {
  readonly tokenHash: string;
  readonly workspaceId: string;
  readonly runId: string;
  readonly userId: string;
}

/** Whether the workspace allows links, and whether the run has as many as it can; then none is stored. */
export interface RunLinkOutcome {
  readonly allowed: boolean;
  readonly isFull: boolean;
}

/** Stores a link to a run. */
export async function insertRunLink(tx: Transaction, link: NewRunLink): Promise<RunLinkOutcome> {
  const { id, tokenHash, workspaceId, runId, attempt, shows_steps: steps, shows_cost: cost, userId } = link;
  const values = [id, tokenHash, workspaceId, runId, attempt, steps, cost, userId, link.expires_at];
  const [row] = await tx.query<RunLinkOutcome>(INSERT, values);
  if (row === undefined) throw new Error("A workspace that is worked in exists.");
  return row;
}

const LIST = statement({
  name: "list-run-links",
  text: `
    select l.id, l.attempt, l.shows_steps, l.shows_cost,
      case when l.revoked_at is not null then 'revoked' when l.expires_at <= now() then 'expired' else 'open' end as state,
      json_build_object('id', l.created_by,
        'name', coalesce((select u.name from users u where u.id = l.created_by), former_name(l.created_by))) as created_by,
      iso(l.created_at) as created_at, iso(l.expires_at) as expires_at, iso(l.revoked_at) as revoked_at
    from run_links l where l.run_id = $1
    order by l.revoked_at is null and l.expires_at > now() desc, l.created_at desc, l.id desc limit 100`,
});

/** Lists the links of a run: open ones first, then newest first. */
export function listRunLinks(tx: Transaction, runId: string): Promise<RunLinkRecord[]> {
  return tx.query<RunLinkRecord>(LIST, [runId]);
}

const REVOKE = statement({
  name: "revoke-run-link",
  text: `
    with found as (
      update run_links set revoked_at = now() where id = $1 and run_id = $2 and revoked_at is null returning id
    )
    select id from found union select id from run_links where id = $1 and run_id = $2`,
});

/** Revokes a link, immediately; false when the run has no such link. */
export async function revokeRunLink(tx: Transaction, linkId: string, runId: string): Promise<boolean> {
  return (await tx.query<{ id: string }>(REVOKE, [linkId, runId])).length > 0;
}

const FIND = statement({
  name: "find-linked-run",
  text: `
    select l.id, l.workspace_id as "workspaceId", l.run_id as "runId", l.attempt, l.shows_steps as "showsSteps",
      l.shows_cost as "showsCost", l.created_by as "createdBy", m.role, w.name as workspace,
      iso(l.expires_at) as "expiresAt"
    from run_links l
    join workspaces w on w.id = l.workspace_id and w.run_links and w.deleted_at is null
    join members m on m.workspace_id = l.workspace_id and m.user_id = l.created_by and m.role <> 'viewer'
    where l.token_hash = $1 and l.revoked_at is null and l.expires_at > now()`,
});

/** What a link shows, and for whom. */
export interface LinkedRun {
  readonly id: string;
  readonly workspaceId: string;
  /** The task, or the team run without a task. */
  readonly runId: string;
  readonly attempt: number;
  readonly showsSteps: boolean;
  readonly showsCost: boolean;
  /** The link's creator, and this person's current role. */
  readonly createdBy: string;
  readonly role: Role;
  /** The workspace's name. */
  readonly workspace: string;
  readonly expiresAt: string;
}

/**
 * Finds the run of a link; undefined when the link does not exist, has expired or was revoked, the workspace does not
 * allow links, or the link's creator may no longer make one.
 */
export async function findLinkedRun(db: Database, tokenHash: string): Promise<LinkedRun | undefined> {
  return (await db.query<LinkedRun>(FIND, [tokenHash]))[0];
}
