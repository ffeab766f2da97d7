import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";
import { EXTEND_QUESTIONS } from "../runs/extend-questions.ts";

const ACT_AS = statement({
  name: "act-as-operator",
  text: `select set_config('muster.user_id', $1, true) as person, set_config('muster.key_id', $2, true) as key`,
});

/** Who operates the instance, for the audit log; undefined for the operator at the machine. */
export interface OperatorActor {
  readonly userId: string;
  readonly keyId: string | null;
}

/** Names the operator in the entries that the transaction adds to the audit log. */
export async function actAs(tx: Transaction, actor: OperatorActor | undefined): Promise<void> {
  if (actor !== undefined) await tx.query(ACT_AS, [actor.userId, actor.keyId ?? ""]);
}

const LOCK = statement({
  name: "lock-instance-workspace",
  text: `
    select w.id, w.name, w.held_at is not null as "isHeld",
      w.id = (select id from workspaces where deleted_at is null order by created_at, id limit 1) as "isFirst"
    from workspaces w where w.id = $1 and w.deleted_at is null for update of w`,
});

/** A workspace that the operator changes. */
export interface OperatedWorkspace {
  readonly id: string;
  readonly name: string;
  readonly isHeld: boolean | null;
  /** Whether it is the one whose owners operate the instance. */
  readonly isFirst: boolean | null;
}

/** Locks a workspace until the transaction ends; undefined when there is no such workspace. */
export async function lockOperated(tx: Transaction, workspaceId: string): Promise<OperatedWorkspace | undefined> {
  return (await tx.query<OperatedWorkspace>(LOCK, [workspaceId]))[0];
}

const SET_HELD = statement({
  name: "set-held",
  text: `update workspaces set held_at = case when $2 then clock_timestamp() end where id = $1`,
});

/** Holds a workspace, or ends the hold. */
export async function setHeld(tx: Transaction, workspaceId: string, isHeld: boolean): Promise<void> {
  await tx.query(SET_HELD, [workspaceId, isHeld]);
}

const GIVE_TIME_BACK = statement({
  name: "give-time-back",
  text: `
    with held as (select id as workspace_id, held_at as since from workspaces where id = $1 and held_at is not null),
    ${EXTEND_QUESTIONS}
    select count(*)::integer as extended from shown`,
});

/** Gives the open questions of a held workspace as much time as they had left when it was held; call it before the release. */
export async function giveTimeBack(tx: Transaction, workspaceId: string): Promise<void> {
  await tx.query(GIVE_TIME_BACK, [workspaceId]);
}

const RECORD = statement({
  name: "record-operation",
  text: `
    select write_audit(first.id, $1, 'workspace', w.id, case when $1 <> 'workspace.erased' then w.name end, '{}') as written,
      case when first.id <> w.id and $1 <> 'workspace.erased' then write_audit(w.id, $1, 'workspace', w.id, w.name, '{}') end as told
    from workspaces w, (select id from workspaces where deleted_at is null order by created_at, id limit 1) first
    where w.id = $2`,
});

/** What the operator does to a workspace. */
export type Operation = "workspace.exported" | "workspace.held" | "workspace.released" | "workspace.erased";

/** Records it in the audit log of the first workspace, and of the workspace itself if that stays; an erasure without a name. */
export async function recordOperation(tx: Transaction, operation: Operation, workspaceId: string): Promise<void> {
  await tx.query(RECORD, [operation, workspaceId]);
}
