import type { TaskStatus } from "#domain/tasks/task-status.ts";
import { statement } from "../../statement.ts";
import type { ReplyBound } from "#domain/tasks/reply-bound.ts";
import type { WorkspaceDatabase } from "../../database.ts";

/** When a question to a person was asked, by the clock that usage has as well; one of a cancelled run is not kept. */
const ASKED_AT = (id: string) => `coalesce(
          (select asked_at from task_questions where subject_id in (t.id, t.team_run_id) and interaction_id = ${id}),
          (select asked_at from closed_questions where interaction_id = ${id}), 'infinity')`;

const READ = statement({
  name: "read-reply",
  text: `
    select t.status, t.result, t.error, t.finish_reason as finish, coalesce(t.agent_id, t.team_id) as "assigneeId",
      a.id is null or a.output_template is not null or a.output_template_id is not null as templated,
      coalesce((a.reasoning->>'show')::boolean, false) as "showsThoughts", t.client_request as "clientRequest", t.metadata::text as metadata,
      extract(epoch from t.created_at)::integer as created, extract(epoch from t.completed_at)::integer as completed,
      used.*
    from runs t cross join lateral (
      select coalesce(sum(u.prompt_tokens), 0)::integer as prompt_tokens,
        coalesce(sum(u.completion_tokens), 0)::integer as completion_tokens,
        coalesce(sum(u.prompt_tokens + u.completion_tokens), 0)::integer as total_tokens,
        coalesce(sum(u.cached_tokens), 0)::integer as cached_tokens,
        coalesce(sum(u.reasoning_tokens), 0)::integer as reasoning_tokens
      from usage_records u where u.task_id = t.id and u.attempt = t.attempt
        and ($2::integer is null or u.step >= $2) and ($3::integer is null or u.step < $3)
        and ($4::uuid is null or u.created_at > ${ASKED_AT("$4")})
        and ($5::uuid is null or u.created_at < ${ASKED_AT("$5")})
    ) used
    left join agents a on a.id = t.agent_id and a.workspace_id = t.workspace_id
    where t.id = $1 and t.kind = 'task'`,
});

/** A task as a reply, with the usage of some of its model calls. */
export interface ReplyRow {
  readonly status: TaskStatus;
  readonly result: string | null;
  readonly error: string | null;
  /** One of `FINISH_REASONS`. */
  readonly finish: string | null;
  readonly assigneeId: string | null;
  /** Whether something else than the model writes the result. */
  readonly templated: boolean;
  /** Whether the agent shows the reasoning of its models. */
  readonly showsThoughts: boolean;
  /** See `clientRequest`; null when another surface started the task. */
  readonly clientRequest: unknown;
  /** JSON, because a number of JavaScript would lose digits. */
  readonly metadata: string;
  /** In seconds since 1970. */
  readonly created: number;
  readonly completed: number | null;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
  readonly cached_tokens: number;
  readonly reasoning_tokens: number;
}

/**
 * Reads a task as a reply; undefined when the workspace has none with this id. Its usage is that of the model calls after
 * the question `since`, and before the question `until`.
 */
export async function readReplyRow(
  db: WorkspaceDatabase,
  reply: { readonly taskId: string; readonly since: ReplyBound | undefined; readonly until: ReplyBound | undefined },
): Promise<ReplyRow | undefined> {
  const { taskId, since, until } = reply;
  const values = [taskId, callsOf(since), callsOf(until), personalIdOf(since), personalIdOf(until)];
  const [row] = await db.query<ReplyRow>(READ, values);
  return row;
}

function callsOf(bound: ReplyBound | undefined): number | null {
  return bound?.modelCalls ?? null;
}

function personalIdOf(bound: ReplyBound | undefined): string | null {
  return bound === undefined || bound.modelCalls !== undefined ? null : bound.interactionId;
}

const ASSIGNEE = statement({
  name: "read-assignee",
  text: `select coalesce(agent_id, team_id) as id from runs where id = $1 and kind = 'task'`,
});

/** The agent or team of a task; null when it was deleted, or the workspace has no such task. */
export async function findAssignee(db: WorkspaceDatabase, taskId: string): Promise<string | null> {
  const [row] = await db.query<{ id: string | null }>(ASSIGNEE, [taskId]);
  return row?.id ?? null;
}
