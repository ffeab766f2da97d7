import type { JsonText } from "#lib/text/json-text.ts";
import type { Database, Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";
import { COST } from "./cost.ts";
import { WHOLE_RUN } from "./whole-run.ts";

const FACTS = statement({
  name: "read-approval-facts",
  text: `
    select ${COST}::double precision as "costUsd",
      not exists (select from approved_tools t where t.agent_id = $2 and t.tool = $3) as "isFirstUse",
      array_remove(array[r.created_by, r.started_by, o.created_by, o.started_by], null) || array(
        -- Of a conversation in a channel: the members who wrote what its first and its current attempt answer.
        select (m.person->>'member')::uuid
        from channel_messages c
        join runs s on s.id = c.task_id and c.attempt in (1, s.attempt)
        join output_routes t on t.id = c.route_id
        join output_routes p on p.workspace_id = c.workspace_id and p.type = t.type
        cross join lateral jsonb_array_elements(p.members) m (person)
        where c.workspace_id = r.workspace_id and c.task_id in (r.id, o.id) and m.person->>'user_id' = c.person_id) as "startedBy"
    from runs r left join runs o on o.id = r.parent_id where r.id = $1`,
});

/** What rules on approvals depend on besides the call, and what their questions show. */
export interface ApprovalFacts {
  /** What the attempt has cost so far, in US dollars. */
  readonly costUsd: number;
  readonly isFirstUse: boolean;
  /** The ids of the people who created the run and started its attempt, also by what they wrote in a channel. */
  readonly startedBy: readonly string[];
}

/** Reads the facts for a call of a tool; undefined when the run is gone. */
export async function readApprovalFacts(
  db: Database,
  { runId, agentId, tool }: { readonly runId: string; readonly agentId: string; readonly tool: string },
): Promise<ApprovalFacts | undefined> {
  const [row] = await db.query<ApprovalFacts>(FACTS, [runId, agentId, tool]);
  return row;
}

// The caller has locked the run, so that votes come one after another.
const VOTE = statement({
  name: "vote-on-question",
  text: `
    with able as (
      select exists (select from question_voters(q, q.stage) v (id) where v.id = $2) as may
      from task_questions q where q.subject_id = $1
    ), given as (
      insert into question_votes (interaction_id, user_id, workspace_id, subject_id, approved, via)
      select q.interaction_id, $2, q.workspace_id, q.subject_id, $3, $4
      from task_questions q, able where q.subject_id = $1 and able.may
      on conflict do nothing
      returning approved
    )
    select able.may as "mayVote", exists (select from given) as "isNew",
      (select count(*)::integer from question_votes v where v.interaction_id = q.interaction_id and v.approved)
        + (select count(*)::integer from given where approved) as approvals,
      (select count(*)::integer from question_votes v where v.interaction_id = q.interaction_id and not v.approved)
        + (select count(*)::integer from given where not approved) as denials,
      (select count(*)::integer
        from question_voters_left(q, json_array_length(q.question->'policy'->'stages') - 1) v (id)
        where v.id <> $2) as left
    from task_questions q, able where q.subject_id = $1`,
});

/** A person's vote on the open question of a run. */
export interface Vote {
  readonly userId: string;
  readonly approved: boolean;
  /** The channel. */
  readonly via: string;
}

/** What a vote did. */
export interface VoteResult {
  readonly mayVote: boolean;
  /** False when the person had voted before: that vote stays. */
  readonly isNew: boolean;
  readonly approvals: number;
  readonly denials: number;
  /** How many others may still vote, now or after an escalation. */
  readonly left: number;
}

/** Stores a vote on the question of a run that the caller has locked, unless the person has voted or may not. */
export async function castVote(tx: Transaction, runId: string, vote: Vote): Promise<VoteResult> {
  const [row] = await tx.query<VoteResult>(VOTE, [runId, vote.userId, vote.approved, vote.via]);
  if (row === undefined) throw new Error("A run that waits has an open question.");
  return row;
}

const VOTES = statement({ name: "read-votes", text: `select question_votes_of($1) as votes` });

/** A vote as records show it. */
export interface CountedVote {
  readonly by: { readonly id: string; readonly name: string };
  readonly approved: boolean;
  readonly via: string;
  readonly at: string;
}

/** The votes on a question, open or closed, in their order. */
export async function readVotes(tx: Transaction, interactionId: string): Promise<readonly CountedVote[]> {
  const [row] = await tx.query<{ votes: readonly CountedVote[] }>(VOTES, [interactionId]);
  return row?.votes ?? [];
}

const DECISION = statement({
  name: "read-decision",
  text: `
    select (c.answer->>'approved')::boolean as approved, question_votes_of(c.interaction_id) as votes
    from closed_questions c
    where c.interaction_id = $1 and c.state = 'answered'
      and exists (select from question_votes v where v.interaction_id = c.interaction_id)`,
});

/** What votes made of a question; undefined while it is open, and for one without votes. */
export async function readDecision(
  tx: Transaction,
  interactionId: string,
): Promise<{ readonly approved: boolean; readonly votes: readonly CountedVote[] } | undefined> {
  const [row] = await tx.query<{ approved: boolean; votes: readonly CountedVote[] }>(DECISION, [interactionId]);
  return row;
}

const NOTE_FIRST_USE = statement({
  name: "note-approved-tool",
  text: `
    insert into approved_tools (agent_id, tool, workspace_id)
    select a.id, $2, a.workspace_id from agents a where a.id = $1 on conflict do nothing`,
});

/** Notes that people have approved a call of a tool by an agent. */
export async function noteApprovedTool(
  tx: Transaction,
  { agentId, tool }: { readonly agentId: string; readonly tool: string },
): Promise<void> {
  await tx.query(NOTE_FIRST_USE, [agentId, tool]);
}

const ESCALATE = statement({
  name: "escalate-question",
  text: `
    with moved as (
      update task_questions q set stage = q.stage + 1, deadline = q.asked_at + make_interval(
        secs => (q.question->'policy'->'stages'->(q.stage + 1)->>'seconds')::double precision)
      where q.subject_id = $1
      returning deadline
    )
    update runs r set updated_at = clock_timestamp(), interaction = open_request($2, moved.deadline)
    from moved where r.id = ${WHOLE_RUN} and r.status is not distinct from 'waiting_for_input'`,
});

/** Begins the next stage of the question of a run that the caller has locked. @param request what clients see, as JSON */
export async function escalateQuestion(tx: Transaction, runId: string, request: string): Promise<void> {
  await tx.query(ESCALATE, [runId, request]);
}

const REACH = statement({
  name: "count-asked-members",
  text: `
    select (select count(*)::integer from (select distinct m.id from unnest($2::json[]) a (ask)
        cross join lateral asked_members($1, a.ask) m (id)) d) as asked,
      not exists (select from members m where m.workspace_id = $1 and m.role <> 'viewer'
        and m.user_id not in (select r.id from unnest($2::json[]) a (ask) cross join lateral asked_members($1, a.ask) r (id))
      ) as "isEveryone"`,
});

/** How many members rules ask for, and whether all who may start runs are among them. @param asks the rules' `ask`, as JSON */
export async function countAsked(
  tx: Transaction,
  workspaceId: string,
  asks: readonly string[],
): Promise<{ readonly asked: number; readonly isEveryone: boolean }> {
  const [row] = await tx.query<{ asked: number; isEveryone: boolean }>(REACH, [workspaceId, asks]);
  return row ?? { asked: 0, isEveryone: true };
}

const PEOPLE = statement({
  name: "find-named-members",
  text: `
    select n.name, u.id
    from unnest($2::text[]) n (name)
    join members m on m.workspace_id = $1
    join users u on u.id = m.user_id and (lower(u.email) = lower(n.name) or u.id::text = lower(n.name))
    where (m.role <> 'viewer' or m.can_answer) and not exists (select from service_accounts s where s.id = u.id)`,
});

/** The members who may answer questions among these, named by e-mail address or id. */
export async function findNamedMembers(
  tx: Transaction,
  workspaceId: string,
  names: readonly string[],
): Promise<readonly { readonly name: string; readonly id: string }[]> {
  return tx.query<{ name: string; id: string }>(PEOPLE, [workspaceId, names]);
}

const CHANNELS = statement({
  name: "find-named-channels",
  text: `
    select n.name, min(o.id::text) as id
    from unnest($2::text[]) n (name)
    join output_routes o on o.workspace_id = $1 and o.kind = 'people' and o.is_active
      and (o.name = n.name or o.id::text = lower(n.name))
    group by n.name having count(*) = 1`,
});

/** The active routes of kind people among these, named by id or by a name that only one of them has. */
export async function findNamedChannels(
  tx: Transaction,
  workspaceId: string,
  names: readonly string[],
): Promise<readonly { readonly name: string; readonly id: string }[]> {
  const rows = await tx.query<{ name: string | null; id: string | null }>(CHANNELS, [workspaceId, names]);
  return rows.flatMap(({ name, id }) => (name === null || id === null ? [] : [{ name, id }]));
}

const SCHEMAS = statement({
  name: "read-tool-schemas",
  text: `
    select 'custom:' || c.id as name, c.parameters::text as schema from custom_tools c
    where c.workspace_id = $1 and 'custom:' || c.id = any($2::text[])
    union all
    select 'mcp:' || s.name || '/' || t.name, t.input_schema::text from listed_mcp_tools t join mcp_servers s on s.id = t.server_id
    where s.workspace_id = $1 and 'mcp:' || s.name || '/' || t.name = any($2::text[])`,
});

/** The JSON Schemas, as text, of the arguments of custom tools and tools of MCP servers, by their names for agents. */
export async function readToolSchemas(
  tx: Transaction,
  workspaceId: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.query<{ name: string | null; schema: string | null }>(SCHEMAS, [workspaceId, names]);
  return new Map(rows.flatMap(({ name, schema }) => (name === null || schema === null ? [] : [[name, schema]])));
}

const READ_RULES = statement({
  name: "read-workspace-approvals",
  text: `select json_build_object('approvals', approvals)::text as record from workspaces where id = $1`,
});

/** Reads a workspace's rules on approvals: JSON with the field `approvals`. */
export async function readWorkspaceRules(db: Pick<Transaction, "query">, workspaceId: string): Promise<JsonText> {
  const [row] = await db.query<{ record: JsonText }>(READ_RULES, [workspaceId]);
  if (row === undefined) throw new Error("A caller's workspace exists.");
  return row.record;
}

const WRITE_RULES = statement({
  name: "write-workspace-approvals",
  text: `update workspaces set approvals = $2, updated_at = now() where id = $1`,
});

/** Replaces a workspace's rules on approvals. @param policy as JSON */
export async function writeWorkspaceRules(tx: Transaction, workspaceId: string, policy: string): Promise<void> {
  await tx.query(WRITE_RULES, [workspaceId, policy]);
}
