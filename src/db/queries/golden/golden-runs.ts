import type { AgentPatch } from "#domain/agents/agent.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { Queries, Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

const TRIED = statement({
  name: "read-golden-cases-to-try",
  text: `
    select a.id as "agentId", c.id, c.name, c.source_run_id as "runId", (c.input->>'files')::integer as files
    from agents a left join golden_cases c on c.agent_id = a.id
    where a.id = $1 order by c.created_at desc, c.id desc`,
});

/** A case to try. */
export interface TriedCase {
  readonly id: string;
  readonly name: string;
  /** The kept run, which has its files. */
  readonly runId: string;
  readonly files: number;
}

/** Reads an agent's cases; undefined when the workspace has no such agent. */
export async function readTried(db: Queries, agentId: string): Promise<TriedCase[] | undefined> {
  const rows = await db.query<{ agentId: string } & { [Name in keyof TriedCase]: TriedCase[Name] | null }>(TRIED, [
    agentId,
  ]);
  if (rows.length === 0) return undefined;
  return rows.flatMap(({ id, name, runId, files }) =>
    id === null || name === null || runId === null ? [] : [{ id, name, runId, files: files ?? 0 }],
  );
}

const INSERT = statement({
  name: "insert-golden-run",
  text: `
    insert into golden_runs (id, workspace_id, agent_id, candidate, version, model, created_by)
    select $1, a.workspace_id, a.id, c.fields, (
        select max(v.version) from agent_versions v where v.agent_id = a.id and v.fields::jsonb = c.fields::jsonb),
      c.fields->>'model', $4
    from agents a cross join lateral (select agent_version_fields(json_populate_record(a, $3)) as fields offset 0) c
    where a.id = $2`,
});

/** Stores a golden run of an agent with these changes. */
export async function insertGoldenRun(
  tx: Transaction,
  run: { readonly id: string; readonly agentId: string; readonly changes: AgentPatch; readonly createdBy: string },
): Promise<void> {
  await tx.query(INSERT, [run.id, run.agentId, JSON.stringify(run.changes), run.createdBy]);
}

const CANDIDATE = statement({
  name: "read-golden-candidate",
  text: `select candidate from golden_runs where id = $1 and agent_id = $2`,
});

/** Reads the fields that a golden run of an agent has tried; undefined when the agent has no such golden run. */
export async function readCandidate(
  db: Queries,
  { id, agentId }: { readonly id: string; readonly agentId: string },
): Promise<unknown> {
  const [row] = await db.query<{ candidate: unknown }>(CANDIDATE, [id, agentId]);
  return row?.candidate;
}

// A case that was deleted meanwhile is left out, with its task.
const INSERT_TASKS = statement({
  name: "insert-golden-tasks",
  text: `
    with tried as (
      select c.*, i.run_id, i.trace, i.place from
        rows from (unnest($2::uuid[]), unnest($3::uuid[]), unnest($4::text[])) with ordinality as i (case_id, run_id, trace, place)
      join golden_cases c on c.id = i.case_id
    ),
    tasks as (
      insert into runs (kind, id, workspace_id, title, description, priority, status, agent_id, metadata, conversation,
        client_tools, created_by, source_kind, source_id, created_at, updated_at, dispatched_at, trace)
      select 'task', t.run_id, t.workspace_id, t.input->>'title', t.input->>'description', 'low', 'dispatched', t.agent_id,
        '{}', nullif((t.input->'conversation')::text, 'null')::json, nullif((t.input->'clientTools')::text, 'null')::json,
        $5, 'golden', $1, at, at, at, t.trace
      from tried t, (select clock_timestamp() as at offset 0) now
      returning id
    )
    insert into golden_results (golden_run_id, case_id, workspace_id, position, name, before, run_id)
    select $1, t.id, t.workspace_id, t.place, t.name, json_build_object('result', t.result, 'expected', t.expected,
        'tools', coalesce((select json_agg(tool->>'name') from json_array_elements(t.tools) tool), '[]'),
        'cost_usd', t.cost_usd::double precision, 'tokens', t.tokens, 'duration_ms', t.duration_ms), t.run_id
    from tried t
    returning run_id as "runId"`,
});

/** A task that tries a case. */
export interface GoldenTask {
  readonly caseId: string;
  readonly runId: string;
  readonly trace: string | null;
}

/** Creates a task for each case, dispatched and without a job; returns their ids. */
export async function insertGoldenTasks(
  tx: Transaction,
  { id, tasks, createdBy }: { readonly id: string; readonly tasks: readonly GoldenTask[]; readonly createdBy: string },
): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ runId: string }>(INSERT_TASKS, [
    id,
    tasks.map(({ caseId }) => caseId),
    tasks.map(({ runId }) => runId),
    tasks.map(({ trace }) => trace),
    createdBy,
  ]);
  return new Set(rows.map(({ runId }) => runId));
}

const TRIM = statement({
  name: "trim-golden-runs",
  text: `
    delete from golden_runs where agent_id = $1 and id in (
      select g.id from golden_runs g where g.agent_id = $1 order by g.created_at desc, g.id desc offset $2)`,
});

/** Deletes the golden runs of an agent before its newest. */
export async function trimGoldenRuns(tx: Transaction, agentId: string, kept: number): Promise<void> {
  await tx.query(TRIM, [agentId, kept]);
}

const LIST = statement({
  name: "list-golden-runs",
  text: `
    select (select a.id from agents a where a.id = $1) as agent,
      coalesce((select string_agg(to_json(r)::text, ',' order by r.created_at desc, r.id desc)
        from golden_run_records r where r.agent_id = $1), '') as items`,
});

/** Lists an agent's golden runs as JSON, newest first; undefined when the workspace has no such agent. */
export async function listGolden(db: Queries, agentId: string): Promise<JsonText | undefined> {
  const [row] = await db.query<{ agent: string | null; items: JsonText }>(LIST, [agentId]);
  return row === undefined || row.agent === null ? undefined : row.items;
}

const READ = statement({
  name: "read-golden-run",
  text: `select to_json(r)::text as record from golden_run_details r where id = $1`,
});

/** Reads a golden run with its results, as JSON; undefined when the workspace has none with this id. */
export async function readGolden(db: Queries, id: string): Promise<JsonText | undefined> {
  const [row] = await db.query<{ record: JsonText }>(READ, [id]);
  return row?.record;
}

const OPEN = statement({
  name: "open-golden-tasks",
  text: `
    select g.id, r.run_id as "runId" from golden_runs g
    left join golden_results r on r.golden_run_id = g.id and r.ended_at is null
    where g.id = $1`,
});

/** The unfinished tasks of a golden run; undefined when the workspace has none with this id. */
export async function openTasks(tx: Transaction, id: string): Promise<string[] | undefined> {
  const rows = await tx.query<{ id: string; runId: string | null }>(OPEN, [id]);
  return rows.length === 0 ? undefined : rows.flatMap(({ runId }) => runId ?? []);
}
