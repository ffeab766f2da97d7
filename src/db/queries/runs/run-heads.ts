import type { Transaction } from "../../database.ts";
import { SOURCE } from "./list-runs.ts";
import { statement } from "../../statement.ts";

// A run, as people see it: a task, or a team run without a task. A team's task is one run; its steps are stored under
// the id of the team run of the same attempt.

/** The location of an attempt's data. */
export interface LocatedRun {
  /** The id of the task, or of a team run without a task. */
  readonly id: string;
  readonly kind: "task" | "run";
  /** The requested attempt. */
  readonly attempt: number;
  /** The newest attempt. */
  readonly newest: number;
  /** The team run of this attempt; null for an agent's task. */
  readonly teamRunId: string | null;
}

const LOCATE = statement({
  name: "locate-run",
  text: `
    with named as (
      select coalesce(t.id, r.id) as id, case coalesce(t.kind, r.kind) when 'task' then 'task' else 'run' end as kind,
        coalesce(t.attempt, r.attempt) as newest, coalesce($2::integer, r.attempt) as attempt
      from runs r left join runs t on t.id = r.parent_id where r.id = $1
    )
    select n.id, n.kind, n.attempt, n.newest,
      case n.kind when 'run' then n.id else (
        select r.id from runs r
        where r.workspace_id = current_workspace_id() and r.parent_id = n.id and r.attempt = n.attempt limit 1
      ) end as "teamRunId"
    from named n where n.attempt between 1 and n.newest`,
});

/** Finds a run by the id of a task or team run; undefined when the workspace has none, or not this attempt. */
export async function locateRun(tx: Transaction, id: string, attempt: number | null): Promise<LocatedRun | undefined> {
  const [row] = await tx.query<LocatedRun>(LOCATE, [id, attempt]);
  return row;
}

/** A run's data that does not depend on the attempt. Times are ISO 8601. */
export interface RunHeadRow {
  readonly title: string;
  readonly status: string;
  readonly agent: { readonly id: string; readonly name: string } | null;
  readonly team: { readonly id: string; readonly name: string } | null;
  readonly input: { readonly title: string; readonly description: string };
  readonly priority: string | null;
  /** How it was created. */
  readonly source: { readonly kind: string; readonly id: string | null; readonly name: string | null };
  readonly createdBy: { readonly id: string; readonly name: string } | null;
  /** Who cancelled the newest attempt; null if the service did, or it was not cancelled. */
  readonly cancelledBy: { readonly id: string; readonly name: string } | null;
  readonly createdAt: string;
  readonly scheduledFor: string | null;
  readonly queuedAt: string | null;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  readonly waitedMs: number;
  readonly result: string | null;
  readonly error: string | null;
  /** Also after the events are deleted. */
  readonly errorCode: string | null;
  readonly interaction: Readonly<Record<string, unknown>> | null;
  readonly questionDue: string | null;
  readonly fork: ForkOrigin | null;
}

/** The run that a fork continues, and the step where it begins. */
export interface ForkOrigin {
  readonly id: string;
  /** Null in the first forks of team runs. */
  readonly attempt: number | null;
  readonly from_step: number;
}

// A team run has one text, its input. While it waits for an answer, so does its task.
const HEAD = statement({
  name: "read-run-head",
  text: `
    select title_of(t) as title, t.status,
      (select json_build_object('id', a.id, 'name', a.name) from agents a where a.id = t.agent_id) as agent,
      (select json_build_object('id', m.id, 'name', m.name) from teams m where m.id = t.team_id) as team,
      case t.kind when 'task' then json_build_object('title', t.title, 'description', t.description)
        else json_build_object('title', '', 'description', t.title) end as input,
      case t.kind when 'task' then t.priority end as priority,
      (select json_build_object('id', u.id, 'name', u.name) from users u where u.id = t.created_by) as "createdBy",
      (select json_build_object('id', u.id, 'name', u.name) from users u where u.id = t.cancelled_by) as "cancelledBy",
      iso(t.created_at) as "createdAt", iso(t.scheduled_for) as "scheduledFor",
      iso(case t.kind when 'task' then t.dispatched_at else t.created_at end) as "queuedAt",
      iso(t.started_at) as "startedAt", iso(t.completed_at) as "endedAt",
      extract(epoch from coalesce(r.waited, t.waited))::float8 * 1000 as "waitedMs",
      ${SOURCE} as source, t.result, t.error, t.error_code as "errorCode", t.interaction,
      t.interaction->>'expiresAt' as "questionDue",
      case when t.fork is not null then json_build_object('id', coalesce(t.fork->'task_id', t.fork->'run_id'),
        'attempt', t.fork->'attempt', 'from_step', t.fork->'from_step') end as fork
    from runs t left join runs r on r.id = $2 where t.id = $1`,
});

/** Reads a run's data. */
export async function readRunHead(tx: Transaction, { id, teamRunId }: LocatedRun): Promise<RunHeadRow | undefined> {
  const [row] = await tx.query<RunHeadRow>(HEAD, [id, teamRunId]);
  return row;
}
