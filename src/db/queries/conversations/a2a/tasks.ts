import type { TaskStatus } from "#domain/tasks/task-status.ts";
import { statement } from "../../../statement.ts";
import type { ConversationTask } from "#domain/tasks/conversation-task.ts";
import type { WorkspaceDatabase } from "../../../database.ts";

/** For an ended task, when it ended; otherwise when it last changed. */
const STATUS_AT = "coalesce(t.completed_at, t.updated_at)";

const COLUMNS = `
  t.id, t.agent_id, coalesce(c.thread_id, t.id::text) as context_id, t.status, t.attempt,
  t.title, t.description, t.conversation, t.result, t.error, t.interaction, iso(${STATUS_AT}) as status_at,
  (select coalesce(json_agg(json_build_object('id', f.id, 'name', f.name, 'type', f.type, 'direction', f.direction)
      order by f.created_at, f.id), '[]')
    from files f where f.task_id = t.id and (f.attempt is null or f.attempt = t.attempt)) as files`;

const READ = statement({
  name: "read-conversation-task",
  narrows: ["agent_id"],
  text: `
    select ${COLUMNS} from runs t left join agent_threads c on c.task_id = t.id and c.workspace_id = t.workspace_id
    where t.id = $1 and t.agent_id is not null and ($2::uuid is null or t.agent_id = $2)`,
});

/** Reads a task of an agent, or of any agent when none is given; undefined when it does not exist. */
export async function readConversationTask(
  db: WorkspaceDatabase,
  of: { readonly taskId: string; readonly agentId: string | undefined },
): Promise<ConversationTask | undefined> {
  const values = [of.taskId, of.agentId ?? null];
  const [task] = await db.query<ConversationTask>(READ, values);
  return task;
}

/** A position in the list of an agent's tasks: after the task with this time and id. */
export interface ListPlace {
  readonly statusAt: string;
  readonly id: string;
}

/** A filter for the list of an agent's tasks. */
export interface TaskQuery {
  readonly agentId: string;
  readonly statuses?: readonly TaskStatus[] | undefined;
  readonly contextId?: string | undefined;
  /** Only tasks that reached their status at this time (ISO 8601) or later. */
  readonly since?: string | undefined;
}

const MATCHES = `
  t.workspace_id = $1 and t.agent_id = $2
  and ($3::text[] is null or t.status = any($3))
  and ($4::text is null or t.id::text = $4
    or exists (select from agent_threads x where x.agent_id = $2 and x.thread_id = $4 and x.task_id = t.id))
  and ($5::timestamptz is null or ${STATUS_AT} >= $5)`;
const AFTER = `($6::timestamptz is null or (${STATUS_AT}, t.id) < ($6::timestamptz, $7::uuid))`;

// Three lists, each read by index: active tasks, waiting tasks, and the newest ended ones.
const LIST = statement({
  name: "list-conversation-tasks",
  narrows: ["agent_id"],
  text: `
    with listed as (
      select t.id, ${STATUS_AT} as at from runs t
      where ${MATCHES} and ${AFTER} and t.status in ('running', 'waiting_for_input')
      union all
      select t.id, ${STATUS_AT} from runs t
      where ${MATCHES} and ${AFTER} and t.status in ('pending', 'dispatched')
      union all
      (select t.id, t.completed_at from runs t
        where ${MATCHES} and ${AFTER} and t.completed_at is not null
          and ($6::timestamptz is null or t.completed_at <= $6::timestamptz)
        order by t.completed_at desc, t.id desc limit $8::integer)
    ),
    page as (select l.id, l.at from listed l order by l.at desc, l.id desc limit $8::integer)
    select ${COLUMNS} from page p join runs t on t.id = p.id left join agent_threads c on c.task_id = t.id and c.workspace_id = t.workspace_id
    order by p.at desc, p.id desc`,
});

const COUNT = statement({
  name: "count-conversation-tasks",
  text: `select count(*)::integer as total from runs t where ${MATCHES}`,
});

/** Reads a page of an agent's tasks, last changed first, and the total number. */
export async function listConversationTasks(
  db: WorkspaceDatabase,
  query: TaskQuery & { readonly after: ListPlace | undefined; readonly limit: number },
): Promise<{ readonly tasks: readonly ConversationTask[]; readonly total: number }> {
  const { agentId, statuses, contextId, since, after, limit } = query;
  const match = [db.who.workspaceId, agentId, statuses ?? null, contextId ?? null, since ?? null];
  const [tasks, [count]] = await Promise.all([
    db.query<ConversationTask>(LIST, [...match, after?.statusAt ?? null, after?.id ?? null, limit]),
    db.query<{ total: number }>(COUNT, match),
  ]);
  return { tasks, total: count?.total ?? 0 };
}
