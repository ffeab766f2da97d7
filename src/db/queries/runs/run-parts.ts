import type { ExecutionOutcome } from "#domain/runs/execution-outcome.ts";
import type { Transaction } from "../../database.ts";
import type { LocatedRun } from "./run-heads.ts";
import { statement } from "../../statement.ts";

// The parts of a run besides its row; see run-heads.ts for the definition of a run.

/** The first and last event of an attempt in its log, and the attempt's usage. */
export interface AttemptRow {
  readonly n: number;
  /** Null when the log was deleted. */
  readonly first: { readonly type: string; readonly timestamp: number } | null;
  readonly last: {
    readonly type: string;
    readonly timestamp: number;
    readonly code?: string;
    readonly message?: string;
    readonly result?: string;
  } | null;
  readonly tokens: number;
  readonly cachedTokens: number;
  readonly cacheWriteTokens: number;
  readonly reasoningTokens: number;
  readonly costUsd: number;
}

const EVENT_AT = (seq: string) => `coalesce(
  (select e.event from task_events e where e.log_id = $1 and e.seq = ${seq} limit 1),
  (select p.events[${seq} - p.first_seq + 1] from task_event_pages p
    where p.log_id = $1 and p.last_seq >= ${seq} and p.first_seq <= ${seq} order by p.last_seq limit 1))`;

const ATTEMPTS = statement({
  name: "read-attempts-of-run",
  text: `
    with logged as (
      select attempt, min(first) as first, max(last) as last from (
        select attempt, min(seq) as first, max(seq) as last from task_events where log_id = $1 group by attempt
        union all
        select attempt, min(first_seq), max(last_seq) from task_event_pages where log_id = $1 group by attempt
      ) log group by attempt
    ),
    used as (
      select u.attempt, sum(u.prompt_tokens + u.completion_tokens)::float8 as tokens,
        sum(u.cached_tokens)::float8 as cached, sum(u.cache_write_tokens)::float8 as written,
        sum(u.reasoning_tokens)::float8 as reasoning,
        sum(u.estimated_cost_usd)::float8 as cost
      from usage_records u where ($3 = 'task' and u.task_id = $1) or ($3 <> 'task' and u.team_run_id = $1)
      group by u.attempt
    )
    select n.n, ${EVENT_AT("l.first")} as first, ${EVENT_AT("l.last")} as last,
      coalesce(u.tokens, 0) as tokens, coalesce(u.cached, 0) as "cachedTokens",
      coalesce(u.written, 0) as "cacheWriteTokens", coalesce(u.reasoning, 0) as "reasoningTokens",
      coalesce(u.cost, 0) as "costUsd"
    from generate_series(1, $2::integer) as n (n)
    left join logged l on l.attempt = n.n left join used u on u.attempt = n.n order by n.n`,
});

/** Reads the attempts of a run in order. */
export function readAttempts(
  tx: Transaction,
  { id, kind, newest }: Pick<LocatedRun, "id" | "kind" | "newest">,
): Promise<AttemptRow[]> {
  return tx.query<AttemptRow>(ATTEMPTS, [id, newest, kind]);
}

/** An execution of an attempt: from the claim of its job to its end, release or crash. */
export interface ExecutionRow {
  readonly n: number;
  /** Host and process id. */
  readonly process: string | null;
  readonly from: string;
  /** Null while it is running. */
  readonly to: string | null;
  readonly end: ExecutionOutcome | null;
}

const BUDGETS = statement({
  name: "read-budgets-of-run",
  text: `
    select to_json(b) as record from budget_records b
    where b.workspace_id = current_workspace_id() and b.target_id = any($1::uuid[])
    order by array_position(array['run', 'agent', 'team', 'workspace'], b.scope), b.period`,
});

/** Reads the budgets of any of these targets, as records. */
export async function readBudgets(tx: Transaction, targets: readonly string[]): Promise<object[]> {
  const rows = await tx.query<{ record: object }>(BUDGETS, [targets]);
  return rows.map(({ record }) => record);
}

/** A fork of this run. */
export interface ForkRow {
  readonly id: string;
  readonly kind: "task" | "run";
  readonly from_step: number;
  readonly status: string;
  readonly created_at: string;
}

const FORKS = statement({
  name: "read-forks-of-run",
  text: `
    select r.id, case r.kind when 'task' then 'task' else 'run' end as kind, (r.fork->>'from_step')::integer as from_step,
      r.status, iso(r.created_at) as created_at
    from runs r
    where r.fork is not null and (r.fork->>'run_id' = any($1::text[]) or r.fork->>'task_id' = any($1::text[]))
    order by created_at limit 100`,
});

/** Reads the forks of a run, oldest first. @param ids the ids of the task and its team run */
export function readForks(tx: Transaction, ids: readonly string[]): Promise<ForkRow[]> {
  return tx.query<ForkRow>(FORKS, [ids]);
}

/** An agent of an attempt. */
export interface AgentVersionRow {
  readonly id: string;
  /** Null when the agent was deleted. */
  readonly name: string | null;
  /** The version that ran; null when the agent was changed for this run. */
  readonly version: number | null;
  readonly current_version: number | null;
}

const AGENTS = statement({
  name: "read-agents-of-run",
  text: `
    select distinct on (u.agent_id, u.agent_version) u.agent_id as id, a.name, u.agent_version as version,
      a.version as current_version
    from (
      select agent_id, agent_version from usage_records
      where attempt = $2 and (($3 = 'task' and task_id = $1) or ($3 <> 'task' and team_run_id = $1))
      union all
      select agent_id, agent_version from runs
      where id = $1 and attempt = $2 and $3 = 'task' and agent_version is not null
    ) u left join agents a on a.id = u.agent_id
    where u.agent_id is not null
    order by u.agent_id, u.agent_version`,
});

/** Reads which agents, in which versions, work or worked in an attempt. The agent of a task is known from its start. */
export function readAgents(tx: Transaction, { id, kind, attempt }: LocatedRun): Promise<AgentVersionRow[]> {
  return tx.query<AgentVersionRow>(AGENTS, [id, attempt, kind]);
}

const FILES = statement({
  name: "read-files-of-run",
  text: `
    select coalesce(json_agg(attachment(f) order by f.direction, f.created_at, f.id), '[]') as files
    from files f where (f.task_id = $1 or f.run_id = $1) and (f.attempt is null or f.attempt = $2)`,
});

/** Reads the attachments and outputs of an attempt, as records. */
export async function readFiles(tx: Transaction, { id, attempt }: LocatedRun): Promise<readonly object[]> {
  const [row] = await tx.query<{ files: object[] }>(FILES, [id, attempt]);
  return row?.files ?? [];
}

const TEAM_TALK = statement({
  name: "read-team-talk",
  text: `
    select (select coalesce(json_agg(json_build_object('id', m.id, 'run_id', m.run_id,
        'sender_agent_id', m.sender_agent_id, 'receiver_agent_id', m.receiver_agent_id,
        'message_type', m.message_type, 'content', m.content, 'metadata', m.metadata, 'step_idx', m.step_idx,
        'tokens_used', m.tokens_used, 'created_at', iso(m.created_at)) order by m.created_at, m.id), '[]')
      from team_messages m where m.run_id = $1 and m.attempt = $2) as messages,
    (select coalesce(json_agg(json_build_object('id', d.id, 'run_id', d.run_id, 'key', d.key,
        'agent_id', d.agent_id, 'instruction', d.instruction, 'status', d.status, 'result', d.result,
        'error', d.error, 'score', d.score, 'revisions', d.revisions, 'tokens_used', d.tokens_used,
        'created_at', iso(d.created_at), 'updated_at', iso(d.updated_at)) order by length(d.key), d.key), '[]')
      from team_delegations d where d.run_id = $1 and d.attempt = $2) as delegations,
    usage_by_turn($1, $2) as usage_by_turn`,
});

/** What the agents of a team did in an attempt, as records. */
export interface TeamTalk {
  readonly messages: readonly object[];
  readonly delegations: readonly object[];
  readonly usage_by_turn: readonly object[];
}

/** Reads what the agents of a team did in an attempt; nothing for a task without a team. */
export async function readTeamTalk(tx: Transaction, { teamRunId, attempt }: LocatedRun): Promise<TeamTalk> {
  const none = { messages: [], delegations: [], usage_by_turn: [] };
  if (teamRunId === null) return none;
  const [row] = await tx.query<TeamTalk>(TEAM_TALK, [teamRunId, attempt]);
  return row ?? none;
}

const REUSED = statement({
  name: "read-reused-steps-of-fork",
  text: `
    select t.mode, g.place::integer - 1 as step, r.fork->'names'->>(g.place::integer - 1) as label,
      coalesce(g.parts->0->>'name' = '', false) as "isChanged"
    from runs r join teams t on t.id = r.team_id
    cross join lateral jsonb_array_elements(r.fork->'given') with ordinality as g (parts, place)
    where r.id = $1 order by g.place`,
});

/** A pipeline step, or a turn of a discussion, that a fork reuses from another run. */
export interface ReusedStep {
  readonly mode: string;
  readonly step: number;
  /** Its name in the other run; null in the first forks. */
  readonly label: string | null;
  /** Whether a person gave its output for the fork. */
  readonly isChanged: boolean;
}

/** Reads the parts that a fork of a pipeline or discussion reuses, in order. */
export function readReusedSteps(tx: Transaction, teamRunId: string): Promise<ReusedStep[]> {
  return tx.query<ReusedStep>(REUSED, [teamRunId]);
}

const REUSED_OUTPUT = statement({
  name: "read-output-of-reused-step",
  text: `
    select string_agg(
      case when jsonb_array_length(g.parts) = 1 then p.part->>'text'
        else '### ' || (p.part->>'name') || '\n\n' || (p.part->>'text') end,
      '\n\n' order by p.place) as output
    from runs r cross join lateral (select r.fork->'given'->$2::integer as parts) g
    cross join lateral jsonb_array_elements(g.parts) with ordinality as p (part, place)
    where r.id = $1`,
});

/** Reads the output of such a part; the outputs of several agents follow each other under their names. */
export async function readReusedOutput(tx: Transaction, teamRunId: string, step: number): Promise<string | null> {
  const [row] = await tx.query<{ output: string | null }>(REUSED_OUTPUT, [teamRunId, step]);
  return row?.output ?? null;
}

const NAME = statement({ name: "read-name-of-member", text: `select name from users where id = $1` });

/** A person's name; null when the person has left the workspace. */
export async function readName(tx: Transaction, userId: string): Promise<string | null> {
  const [row] = await tx.query<{ name: string }>(NAME, [userId]);
  return row?.name ?? null;
}

const EXECUTIONS = statement({
  name: "read-executions-of-run",
  text: `
    select row_number() over (order by e.began_at, e.fence)::integer as n, e.process, iso(e.began_at) as "from",
      iso(e.ended_at) as "to", e.outcome as "end"
    from (
      select process, began_at, fence, ended_at, outcome from run_executions where run_id = $1 and attempt = $2
      union all
      select claimed_by, claimed_at, fence, null, null from jobs
      where subject_id = $1 and attempt = $2 and state = 'running' and claimed_at is not null
    ) e order by 1`,
});

/** Reads the executions of an attempt in order. */
export function readExecutions(tx: Transaction, logId: string, attempt: number): Promise<ExecutionRow[]> {
  return tx.query<ExecutionRow>(EXECUTIONS, [logId, attempt]);
}
