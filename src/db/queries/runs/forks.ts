import type { AgentReasoning } from "#domain/agents/agent.ts";
import type { RunKind } from "#domain/runs/run-kind.ts";
import type { JournalRow } from "#domain/tasks/run-journal.ts";
import type { ConversationMessage } from "#domain/tasks/run-job.ts";
import type { TaskFork } from "#domain/tasks/task-fork.ts";
import type { TaskStatus } from "#domain/tasks/task-status.ts";
import type { RunFork } from "#domain/teams/run-fork.ts";
import type { TeamModeName } from "#domain/teams/team-mode.ts";
import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const READ = statement({
  name: "read-run-to-fork",
  text: `
    select r.status, r.attempt, r.title, r.description, r.conversation, r.fork,
      r.started_at is not null as "hasStarted", r.step_idx as "currentStep",
      a.provider, a.model, a.reasoning, a.version,
      t.id as "teamId", t.mode, t.config
    from runs r left join agents a on a.id = r.agent_id left join teams t on t.id = r.team_id
    where r.id = $1 and r.kind = $2`,
});

/** A run to fork, with the current state of its agent or its team. */
export interface ForkableRun {
  readonly status: TaskStatus;
  readonly attempt: number;
  /** Of a team run: its whole input. */
  readonly title: string;
  readonly description: string;
  /** Null for a task that consists of title and description. Each attempt of one is a reply in it. */
  readonly conversation: readonly ConversationMessage[] | null;
  /** In the form of `taskFork` or `runFork`; null when it is not a fork. */
  readonly fork: unknown;
  /** Whether its newest attempt was ever executed. */
  readonly hasStarted: boolean;
  /** Of its agent; null without one, or when it was deleted; the same for the next three fields. */
  readonly provider: string | null;
  readonly model: string | null;
  readonly reasoning: AgentReasoning | null;
  readonly version: number | null;
  /** The step of a team run; null before its first. */
  readonly currentStep: number | null;
  /** Null without a team, or when it was deleted; the same for the next two fields. */
  readonly teamId: string | null;
  readonly mode: TeamModeName | null;
  readonly config: unknown;
}

/** Reads a run to fork; undefined when the workspace has none of this kind with this id. */
export async function readForkable(tx: Transaction, kind: RunKind, id: string): Promise<ForkableRun | undefined> {
  const [run] = await tx.query<ForkableRun>(READ, [id, kind]);
  return run;
}

const JOURNAL = statement({
  name: "read-journal-to-fork",
  text: `
    select key, result::text as result, iso(created_at) as at from run_steps
    where run_id = $1 and attempt = $2 and facts->'unanswered' is null order by created_at`,
});

/** Reads the recorded steps of a run's attempt that have a result, oldest first. */
export function readJournal(
  tx: Transaction,
  run: { readonly id: string; readonly attempt: number },
): Promise<JournalRow[]> {
  return tx.query<Omit<JournalRow, "changed">>(JOURNAL, [run.id, run.attempt]);
}

const INSERT = statement({
  name: "insert-forked-task",
  text: `
    insert into runs (kind, id, workspace_id, title, description, priority, status, agent_id, metadata,
      conversation, client_tools, client_request, created_by, source_kind, source_id,
      started_by, started_key, created_at, updated_at, dispatched_at, fork, trace)
    select kind, $2, workspace_id, $5, $6, priority, 'dispatched', agent_id, metadata,
      $7, client_tools, client_request, $3, 'fork', id,
      current_user_id(), current_key_id(), at, at, at, $4, $8
    from runs, (select clock_timestamp() as at offset 0) now where id = $1`,
});

/** A task's input. */
export type ForkInput = Pick<ForkableRun, "title" | "description" | "conversation">;

/** Inserts a dispatched task that is like another one, with this input. */
export async function insertForkedTask(
  tx: Transaction,
  task: {
    readonly id: string;
    readonly createdBy: string;
    readonly fork: TaskFork;
    readonly input: ForkInput;
    readonly trace: string | null;
  },
): Promise<void> {
  const { title, description, conversation } = task.input;
  await tx.query(INSERT, [
    task.fork.task_id,
    task.id,
    task.createdBy,
    JSON.stringify(task.fork),
    title,
    description,
    conversation === null ? null : JSON.stringify(conversation),
    task.trace,
  ]);
}

const MARK = statement({ name: "mark-run-as-fork", text: `update runs set fork = $2 where id = $1` });

/** Makes a team run that was not enqueued yet a fork. */
export async function markFork(tx: Transaction, runId: string, fork: RunFork): Promise<void> {
  await tx.query(MARK, [runId, JSON.stringify(fork)]);
}

// A reused step has the other run's time, facts and request. A changed answer has its question only; a given output,
// which no call made, the turn that starts with it. The source is a column of a subquery, because under row security no
// index is used for a comparison with an expression.
const BEGIN_JOURNAL = statement({
  name: "begin-journal-of-fork",
  text: `
    insert into run_steps (run_id, attempt, key, workspace_id, result, created_at, facts, request)
    select r.id, r.attempt, s.key, r.workspace_id, s.result::json,
      case when s.changed is null then s.at else clock_timestamp() end,
      case when s.changed is null then (inherited_facts(o.facts)::jsonb - 'changed')::json
        else (jsonb_strip_nulls(jsonb_build_object('label', o.facts->'label', 'turn', o.facts->'turn',
            'place', o.facts->'place'))
          || '{"takenOver": true, "changed": true}' || s.changed)::json end,
      case when s.changed is null or s.changed ? 'answeredVia' then o.request end
    from (
      select id, attempt, workspace_id, coalesce($2::jsonb, fork->'journal', '[]') as journal,
        coalesce(fork->>'task_id', fork->>'run_id')::uuid as source_id, (fork->>'attempt')::integer as source_attempt
      from runs where id = $1 and fork is not null and started_at is null offset 0
    ) r
    cross join lateral jsonb_to_recordset(r.journal) as s (key text, result text, at timestamptz, changed jsonb)
    left join lateral (
      select o.facts, o.request from run_steps o
      where o.run_id = r.source_id and o.key = s.key and (r.source_attempt is null or o.attempt = r.source_attempt)
      order by o.attempt desc limit 1
    ) o on true`,
});

/**
 * Copies the reused steps into the journal of a run that has not started: these of a task, those that a team run
 * carries with it. Does nothing for a run that is not a fork.
 */
export async function beginJournal(tx: Transaction, id: string, rows?: readonly JournalRow[]): Promise<void> {
  await tx.query(BEGIN_JOURNAL, [id, rows === undefined ? null : JSON.stringify(rows)]);
}

const BEGIN_JOURNAL_AGAIN = statement({
  name: "begin-journal-of-forked-task-again",
  text: `
    insert into run_steps (run_id, attempt, key, workspace_id, result, created_at, facts, request)
    select s.run_id, r.attempt, s.key, s.workspace_id, s.result, s.created_at, s.facts, s.request
    from runs r join run_steps s on s.run_id = r.id and s.attempt = 1
    where r.id = $1 and r.fork is not null and r.conversation is null and r.attempt > 1
      and (s.facts->>'takenOver')::boolean`,
});

/** Copies the reused steps of a fork's first attempt into its newest; does nothing for other tasks. */
export async function beginJournalAgain(tx: Transaction, taskId: string): Promise<void> {
  await tx.query(BEGIN_JOURNAL_AGAIN, [taskId]);
}
