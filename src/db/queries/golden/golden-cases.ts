import type { DescribedCase } from "#domain/golden/golden-set.ts";
import type { GoldenCheck } from "#domain/golden/golden-check.ts";
import type { RecordedTool } from "#domain/golden/recorded-tools.ts";
import type { ConversationMessage } from "#domain/tasks/run-job.ts";
import type { TaskStatus } from "#domain/tasks/task-status.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { Queries, Transaction } from "../../database.ts";
import { COST } from "../runs/cost.ts";
import { statement } from "../../statement.ts";

const KEEPABLE = statement({
  name: "read-run-to-keep",
  text: `
    select r.kind, r.agent_id as "agentId", a.name as agent, r.status, r.attempt, r.title, r.description, r.conversation, r.client_tools as "clientTools",
      r.result, r.source_kind as source, r.agent_version as "agentVersion", ${COST}::double precision as cost,
      (select coalesce(sum(u.prompt_tokens + u.completion_tokens), 0)::double precision from usage_records u
        where u.task_id = r.id and u.attempt = r.attempt) as tokens,
      coalesce(extract(epoch from r.completed_at - r.started_at - r.waited) * 1000, 0)::double precision as "durationMs",
      (select count(*)::integer from files f where f.task_id = r.id and f.direction = 'input') as files
    from runs r left join agents a on a.id = r.agent_id where r.id = $1`,
});

/** A run that may become a case. */
export interface KeepableRun {
  readonly kind: "task" | "team_run";
  readonly agentId: string | null;
  readonly agent: string | null;
  readonly status: TaskStatus;
  readonly attempt: number;
  readonly title: string;
  readonly description: string;
  readonly conversation: readonly ConversationMessage[] | null;
  readonly clientTools: unknown;
  readonly result: string | null;
  readonly source: string;
  readonly agentVersion: number | null;
  readonly cost: number;
  readonly tokens: number;
  readonly durationMs: number;
  readonly files: number;
}

/** Reads a run to keep; undefined when the workspace has none with this id. */
export async function readKeepable(tx: Transaction, runId: string): Promise<KeepableRun | undefined> {
  const [run] = await tx.query<KeepableRun>(KEEPABLE, [runId]);
  return run;
}

const TOOL_EVENTS = statement({
  name: "read-tool-events",
  text: `
    select e.event from task_log e
    where e.log_id = $1 and e.attempt = $2
      and e.event->>'type' in ('TOOL_CALL_START', 'TOOL_CALL_ARGS', 'TOOL_CALL_END')
    order by e.seq`,
});

/** Reads the events of an attempt's tool calls, in their order. */
export async function readToolEvents(
  tx: Transaction,
  { runId, attempt }: { readonly runId: string; readonly attempt: number },
): Promise<readonly unknown[]> {
  const rows = await tx.query<{ event: unknown }>(TOOL_EVENTS, [runId, attempt]);
  return rows.map(({ event }) => event);
}

const LOCK_SET = statement({
  name: "lock-golden-set",
  text: `
    select (select count(*)::integer from golden_cases c where c.agent_id = a.id) as cases
    from agents a where a.id = $1 for no key update`,
});

/** Locks an agent's cases until the transaction ends, and returns their number; undefined without the agent. */
export async function lockGoldenSet(tx: Transaction, agentId: string): Promise<number | undefined> {
  const [agent] = await tx.query<{ cases: number }>(LOCK_SET, [agentId]);
  return agent?.cases;
}

const INSERT = statement({
  name: "insert-golden-case",
  text: `
    insert into golden_cases (id, workspace_id, agent_id, name, source_run_id, source_attempt, input, tools, result,
      expected, feedback, checks, agent_version, cost_usd, tokens, duration_ms, created_by)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14::double precision, $15, $16, $17)
    on conflict (agent_id, source_run_id, source_attempt) do nothing returning id`,
});

/** What a run of the case is given. */
export interface CaseInput {
  readonly title: string;
  readonly description: string;
  readonly conversation: readonly ConversationMessage[] | null;
  readonly clientTools: unknown;
  /** The number of its files, which belong to the kept run. */
  readonly files: number;
}

/** A case to store. */
export interface NewGoldenCase {
  readonly id: string;
  readonly workspaceId: string;
  readonly agentId: string;
  readonly name: string;
  readonly runId: string;
  readonly attempt: number;
  readonly input: CaseInput;
  readonly tools: readonly RecordedTool[];
  readonly result: string | null;
  readonly expected: string;
  readonly feedback: readonly unknown[];
  readonly checks: readonly GoldenCheck[];
  readonly agentVersion: number | null;
  readonly cost: number;
  readonly tokens: number;
  readonly durationMs: number;
  readonly createdBy: string;
}

/** Stores a case; false when the attempt is kept already. */
export async function insertGoldenCase(tx: Transaction, given: NewGoldenCase): Promise<boolean> {
  const { input, tools, feedback, checks } = given;
  const rows = await tx.query<{ id: string }>(INSERT, [
    given.id,
    given.workspaceId,
    given.agentId,
    given.name,
    given.runId,
    given.attempt,
    JSON.stringify(input),
    JSON.stringify(tools),
    given.result,
    given.expected,
    JSON.stringify(feedback),
    JSON.stringify(checks),
    given.agentVersion,
    given.cost,
    given.tokens,
    given.durationMs,
    given.createdBy,
  ]);
  return rows.length > 0;
}

const CASES = statement({
  name: "list-golden-cases",
  text: `
    select (select a.id from agents a where a.id = $1) as agent,
      coalesce((select string_agg(to_json(r)::text, ',' order by r.created_at desc, r.id desc)
        from golden_case_records r where r.agent_id = $1), '') as items`,
});

/** Lists an agent's cases as JSON, newest first; undefined when the workspace has no such agent. */
export async function listCases(db: Queries, agentId: string): Promise<JsonText | undefined> {
  const [row] = await db.query<{ agent: string | null; items: JsonText }>(CASES, [agentId]);
  return row === undefined || row.agent === null ? undefined : row.items;
}

const READ = statement({
  name: "read-golden-case",
  text: `select to_json(r)::text as record from golden_case_details r where id = $1`,
});

/** Reads a case with its input and recorded tools, as JSON; undefined when the workspace has none with this id. */
export async function readCase(db: Queries, id: string): Promise<JsonText | undefined> {
  const [row] = await db.query<{ record: JsonText }>(READ, [id]);
  return row?.record;
}

const DESCRIBED = `json_build_object('name', c.name, 'title', c.input->'title', 'description', c.input->'description',
      'conversation', c.input->'conversation', 'client_tools', c.input->'clientTools', 'tools', c.tools,
      'expected', c.expected, 'result', c.result, 'checks', c.checks, 'cost_usd', c.cost_usd::double precision,
      'tokens', c.tokens::double precision, 'duration_ms', c.duration_ms)`;

const SET_CASES = statement({
  name: "read-golden-set",
  text: `
    select c.id, ${DESCRIBED} as golden from golden_cases c
    where c.workspace_id = $1 and c.agent_id = $2 and (c.input->>'files')::integer = 0`,
});

/** A case as files describe it. */
export interface SetCase {
  readonly id: string;
  readonly golden: DescribedCase;
}

/** Reads the cases of an agent that files can describe: those without files. */
export function readSetCases(db: Queries, workspaceId: string, agentId: string): Promise<SetCase[]> {
  return db.query<SetCase>(SET_CASES, [workspaceId, agentId]);
}

const SETS_SIZE = statement({
  name: "measure-golden-sets",
  text: `
    select coalesce(sum(octet_length(c.input::text) + octet_length(c.tools::text) + octet_length(c.expected)), 0)
      ::double precision as bytes
    from golden_cases c where c.workspace_id = $1`,
});
const SETS = statement({
  name: "read-golden-sets",
  text: `
    select a.id as agent_id,
      case when g.required ~ '^[0-9]+$' then to_json(g.required::integer) else to_json(coalesce(g.required, 'none')) end
        as required,
      coalesce((select json_agg(${DESCRIBED}) from golden_cases c
        where c.workspace_id = $1 and c.agent_id = a.id and (c.input->>'files')::integer = 0), '[]') as cases
    from agents a left join golden_gates g on g.agent_id = a.id
    where a.workspace_id = $1 and (coalesce(g.required, 'none') <> 'none'
      or exists (select from golden_cases c where c.workspace_id = $1 and c.agent_id = a.id
        and (c.input->>'files')::integer = 0))`,
});

/** Reads the golden cases and gates of a workspace's agents; undefined when the cases have more bytes. */
export async function readGoldenSets(
  db: Queries,
  workspaceId: string,
  maxBytes: number,
): Promise<readonly { readonly agent_id: string; readonly required: unknown; readonly cases: unknown }[] | undefined> {
  const [size] = await db.query<{ bytes: number }>(SETS_SIZE, [workspaceId]);
  if ((size?.bytes ?? 0) > maxBytes) return undefined;
  return db.query<{ agent_id: string; required: unknown; cases: unknown }>(SETS, [workspaceId]);
}

const UPDATE = statement({
  name: "update-golden-case",
  text: `
    update golden_cases c set name = coalesce($2, c.name), expected = coalesce($3, c.expected),
      checks = coalesce($4::json, c.checks), updated_at = clock_timestamp()
    where id = $1 returning agent_id as "agentId"`,
});

/** Changes the given fields of a case; returns its agent, undefined without such a case. */
export async function updateCase(
  tx: Transaction,
  id: string,
  given: {
    readonly name?: string | undefined;
    readonly expected?: string | undefined;
    readonly checks?: readonly GoldenCheck[] | undefined;
  },
): Promise<string | undefined> {
  const checks = given.checks === undefined ? null : JSON.stringify(given.checks);
  const [row] = await tx.query<{ agentId: string }>(UPDATE, [id, given.name ?? null, given.expected ?? null, checks]);
  return row?.agentId;
}

const DELETE = statement({ name: "delete-golden-case", text: `delete from golden_cases where id = $1 returning id` });

/** Deletes a case; returns whether there was one. Results of golden runs stay. */
export async function deleteCase(tx: Transaction, id: string): Promise<boolean> {
  return (await tx.query<{ id: string }>(DELETE, [id])).length > 0;
}
