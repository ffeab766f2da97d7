import type { Plan } from "#domain/access/plan.ts";
import type { Database, Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";
import { HELD_COPY } from "./hold.ts";
import { actAs } from "./operated-workspaces.ts";
import type { OperatorActor } from "./operated-workspaces.ts";

const RECORD = `w.id, w.slug, w.name, w.plan, iso(w.created_at) as created_at, iso(w.held_at) as held_at`;

/** A workspace as the operator of the instance sees it: nothing of its contents. */
export interface InstanceWorkspace {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly plan: string;
  /** ISO 8601. */
  readonly created_at: string;
  /** Since when the operator holds it; null: it is not held. */
  readonly held_at: string | null;
}

const LIST = statement({
  name: "list-all-workspaces",
  text: `select ${RECORD} from workspaces w where w.deleted_at is null order by w.created_at, w.id`,
});

/** Lists all workspaces of the instance, oldest first. */
export function listAllWorkspaces(db: Pick<Database, "query">): Promise<InstanceWorkspace[]> {
  return db.query<InstanceWorkspace>(LIST);
}

const READ = statement({
  name: "read-instance-workspaces",
  text: `select ${RECORD} from workspaces w where w.id = any($1) and w.deleted_at is null`,
});

/** Reads some workspaces of the instance, in no order; those that do not exist are left out. */
export function readInstanceWorkspaces(
  db: Pick<Database, "query">,
  workspaceIds: readonly string[],
): Promise<InstanceWorkspace[]> {
  return db.query<InstanceWorkspace>(READ, [workspaceIds]);
}

/** Reads a workspace of the instance; undefined when there is no such workspace. */
export async function readInstanceWorkspace(
  db: Pick<Database, "query">,
  workspaceId: string,
): Promise<InstanceWorkspace | undefined> {
  return (await readInstanceWorkspaces(db, [workspaceId]))[0];
}

const FIND = statement({
  name: "find-workspace-by-slug",
  text: `
    select w.id from workspaces w
    where w.deleted_at is null and (w.id::text = $1 or exists (
      select from workspace_slugs s where s.workspace_id = w.id and s.slug = $1))`,
});

/** Finds a workspace by its id, or by its current slug or an earlier one. */
export async function findWorkspace(db: Pick<Database, "query">, slugOrId: string): Promise<string | undefined> {
  const [row] = await db.query<{ id: string }>(FIND, [slugOrId]);
  return row?.id;
}

const PLACE = statement({
  name: "read-place-in-instance",
  text: `
    select w.id = (select id from workspaces where deleted_at is null order by created_at, id limit 1) as is_first,
      iso(w.held_at) as held_at,
      exists (select from instance_settings where key = '${HELD_COPY}') as copy_held
    from workspaces w where w.id = $1`,
});

/** What of the instance concerns a workspace. */
export interface PlaceInInstance {
  /** Whether it is the instance's first, whose owners operate the instance. */
  readonly is_first: boolean;
  /** Since when the operator holds it; null: it is not held. */
  readonly held_at: string | null;
  /** Whether the database is a restored copy that was not released. */
  readonly copy_held: boolean;
}

/** Reads it; undefined for a workspace that does not exist. */
export async function readPlace(
  db: Pick<Database, "query">,
  workspaceId: string,
): Promise<PlaceInInstance | undefined> {
  return (await db.query<PlaceInInstance>(PLACE, [workspaceId]))[0];
}

const SET_PLAN = statement({
  name: "set-plan",
  text: `
    update workspaces w set plan = $2, updated_at = case when w.plan = $2 then w.updated_at else now() end
    where w.id = $1 and w.deleted_at is null returning ${RECORD}`,
});

/** Sets the plan of a workspace; returns undefined when there is no such workspace. */
export async function setPlan(
  tx: Transaction,
  change: { readonly workspaceId: string; readonly plan: Plan; readonly actor?: OperatorActor | undefined },
): Promise<InstanceWorkspace | undefined> {
  const { workspaceId, plan, actor } = change;
  await actAs(tx, actor);
  const [row] = await tx.query<InstanceWorkspace>(SET_PLAN, [workspaceId, plan]);
  return row;
}
