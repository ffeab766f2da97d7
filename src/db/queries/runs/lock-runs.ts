import type { RunKind } from "#domain/runs/run-kind.ts";
import type { TaskStatus } from "#domain/tasks/task-status.ts";
import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";
import { WHOLE_RUN } from "./whole-run.ts";

// Tasks and runs of their own before the runs of tasks, both by id, as everywhere. Not against references: an execution
// locks its job before it adds a message or a file, and an end locks the job after the run.
const IN_ORDER = "order by r.parent_id is not null, r.id for no key update of r";

const FIELDS = `
  r.id, r.kind, r.status, r.attempt, r.title, r.description, r.priority, r.metadata::text as metadata,
  r.agent_id as "agentId", r.team_id as "teamId", r.parent_id as "parentId", r.scheduled_for as "scheduledFor"`;

const LOCK_MANY = statement({
  name: "lock-runs",
  narrows: ["kind", "status"],
  text: `select ${FIELDS} from runs r where r.id = any($1::uuid[]) ${IN_ORDER}`,
});

const LOCK_WHOLE = statement({
  name: "lock-whole-run",
  narrows: ["kind", "status"],
  text: `select ${FIELDS} from runs r where r.id = ${WHOLE_RUN} ${IN_ORDER}`,
});

/** The fields that decide which changes a run allows. */
export interface LockedRun {
  readonly id: string;
  readonly kind: RunKind;
  readonly status: TaskStatus;
  readonly attempt: number;
  /** Of a team run: its whole input. */
  readonly title: string;
  readonly description: string;
  readonly priority: string;
  /** JSON. */
  readonly metadata: string;
  readonly agentId: string | null;
  readonly teamId: string | null;
  /** The task that a team run works on. */
  readonly parentId: string | null;
  readonly scheduledFor: Date | null;
}

/** Locks runs until the transaction ends, and reads them, by their ids. Without the runs that they are one with. */
export async function lockRuns(tx: Transaction, ids: readonly string[]): Promise<ReadonlyMap<string, LockedRun>> {
  if (ids.length === 0) return new Map();
  const runs = await tx.query<LockedRun>(LOCK_MANY, [ids]);
  return new Map(runs.map((run) => [run.id, run]));
}

/** Locks a run until the transaction ends, and the run that it is one with; undefined when there is no such run. */
export async function lockRun(tx: Transaction, kind: RunKind, id: string): Promise<LockedRun | undefined> {
  const runs = await tx.query<LockedRun>(LOCK_WHOLE, [id]);
  return runs.find((run) => run.id === id && run.kind === kind);
}

/**
 * Locks what waits for an answer, by the id of a run of either kind: of a team's task, the team run that works on it.
 * Undefined when there is no such run.
 */
export async function lockAsking(tx: Transaction, id: string): Promise<LockedRun | undefined> {
  const runs = await tx.query<LockedRun>(LOCK_WHOLE, [id]);
  const named = runs.find((run) => run.id === id);
  return runs.find(({ parentId }) => parentId !== null && parentId === named?.id) ?? named;
}

const OPEN = "r.parent_id is null and r.status in ('pending', 'dispatched', 'running', 'waiting_for_input')";

const LOCK_OPEN_OF = statement({
  name: "lock-open-runs-of",
  text: `
    select r.id from runs r
    where r.id = any(array(
      select r.id from runs r where r.agent_id = any($1::uuid[]) and ${OPEN}
      union all
      select r.id from runs r where r.team_id = any($1::uuid[]) and ${OPEN}))
    order by r.id for no key update`,
});

/** Locks the runs of agents or teams that have not ended; returns their ids. */
export async function lockOpenRunsOf(tx: Transaction, ids: readonly string[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(LOCK_OPEN_OF, [ids]);
  return rows.map(({ id }) => id);
}

const LOCK_OPEN_IN = statement({
  name: "lock-open-runs-in",
  text: `
    select r.id from runs r
    where r.workspace_id = $1 and r.kind in ('task', 'team_run') and ${OPEN} order by r.id limit $2 for no key update`,
});

/** Locks up to `limit` runs of a workspace that have not ended; returns their ids. */
export async function lockOpenRunsIn(tx: Transaction, workspaceId: string, limit: number): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(LOCK_OPEN_IN, [workspaceId, limit]);
  return rows.map(({ id }) => id);
}
