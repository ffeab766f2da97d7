import type { ChannelFile } from "#domain/people/channel-message.ts";
import type { PostedMessage } from "#domain/people/question-message.ts";
import type { ConversationMessage } from "#domain/tasks/run-job.ts";
import type { Database } from "../../database.ts";
import { statement } from "../../statement.ts";

const READ = statement({
  name: "read-channel-reply",
  narrows: ["routeId"],
  text: `
    select m.id, m.workspace_id as "workspaceId", m.route_id as "routeId", m.channel, m.thread, m.message_key as key, m.conversation,
      m.person_id as "personId", m.person_name as "personName", m.text, m.files, m.outcome, m.task_id as "taskId",
      m.attempt, d.part, d.posted, d.is_sending as "isSending",
      d.status = 'pending' and (exists (
        select from channel_messages e
        cross join lateral (select x.status from deliveries x where x.event_id = e.id and x.event = 'channel.reply') x
        where e.route_id = m.route_id and e.conversation = m.conversation and e.id < m.id and x.status = 'pending'
      ) or exists (select from deliveries x where x.event_id = m.id and x.id < d.id and x.status = 'pending'))
        as "isBehind",
      (select count(*)::integer from deliveries x
        where x.event_id = m.id and x.id <= d.id and x.part is null and x.redelivery_of is null) as segment
    from deliveries d join channel_messages m on m.id = d.event_id
    where d.id = $1`,
});

/** A delivery to a conversation in a channel, with the message that it answers. */
export interface ChannelReply {
  /** The id of the message. */
  readonly id: string;
  readonly workspaceId: string;
  readonly routeId: string;
  readonly channel: string;
  readonly thread: string | null;
  /** The vendor's ids of the message. */
  readonly key: string;
  readonly conversation: string;
  readonly personId: string;
  readonly personName: string;
  readonly text: string;
  readonly files: readonly ChannelFile[];
  readonly outcome: string;
  /** The run that answers it; null before. */
  readonly taskId: string | null;
  readonly attempt: number | null;
  readonly part: string | null;
  readonly posted: PostedMessage | null;
  /** Whether a message may have been posted whose ids are unknown. */
  readonly isSending: boolean;
  /** Whether something earlier in the conversation is still to be delivered. */
  readonly isBehind: boolean;
  /** Which part of the answer it posts, from 1: each question of the run ends one. */
  readonly segment: number;
}

/** Reads a delivery to a conversation; undefined when the message or the route was deleted. */
export async function readChannelReply(db: Database, deliveryId: string): Promise<ChannelReply | undefined> {
  return (await db.query<ChannelReply>(READ, [deliveryId]))[0];
}

const STATE = statement({
  name: "read-answering-run",
  text: `
    select r.status, r.attempt, r.result, r.error, r.conversation, w.paused or w.held_at is not null as "isPaused",
      extract(epoch from clock_timestamp() - coalesce(r.started_at, r.created_at))::double precision * 1000 as "ageMs"
    from runs r join workspaces w on w.id = r.workspace_id where r.id = $1 and r.kind = 'task'`,
});

/** The run that answers a message. */
export interface AnsweringRun {
  readonly status: string;
  readonly attempt: number;
  readonly result: string | null;
  readonly error: string | null;
  readonly conversation: readonly ConversationMessage[] | null;
  /** Whether its workspace is paused or held. */
  readonly isPaused: boolean;
  readonly ageMs: number;
}

/** Reads it; undefined when it was deleted. */
export async function readAnsweringRun(db: Database, taskId: string): Promise<AnsweringRun | undefined> {
  return (await db.query<AnsweringRun>(STATE, [taskId]))[0];
}

const SENDING = statement({ name: "note-sending", text: `update deliveries set is_sending = true where id = $1` });

/** Notes that a message is about to be posted. */
export async function noteSending(db: Database, deliveryId: string): Promise<void> {
  await db.query(SENDING, [deliveryId]);
}

const POSTED = statement({
  name: "note-posted",
  text: `update deliveries set posted = $2, is_sending = false where id = $1 and posted is null`,
});

/** Notes the vendor's ids of a posted message. */
export async function notePosted(db: Database, deliveryId: string, posted: PostedMessage): Promise<void> {
  await db.query(POSTED, [deliveryId, JSON.stringify(posted)]);
}

// Two executions of a delivery, of which one has lost its job, add the parts once: the second one reads after the first.
const LOCK_EVENT = statement({
  name: "lock-reply-event",
  text: `select id from delivery_events where id = $1 for update`,
});

// Parts are sent in the order of their ids, and ids that are made within a millisecond have none of their own.
const ADD_PARTS = statement({
  name: "add-reply-parts",
  text: `
    with files as (
      select f.id, f.created_at from files f
      where f.task_id = $2 and f.attempt = $3 and f.direction = 'output'
        and not exists (select from run_steps s where s.run_id = f.task_id and s.result->>'stored' = f.id::text)
    ),
    parts as (
      select 'text:' || n as part, n as place, null::timestamptz as made from generate_series(1, $5::integer) n
      union all
      select 'file:' || id, 1000, created_at from files
    ),
    missing as (
      select part, row_number() over (order by place, made, part) as n from parts p
      where not exists (select from deliveries x where x.event_id = $1 and x.part = p.part)
    ),
    ids as (
      select id, row_number() over (order by id) as n from (select time_ordered_id() as id from missing) made
    )
    insert into deliveries (id, workspace_id, event_id, event, task_id, route_id, target_name, type, host, part)
    select i.id, d.workspace_id, d.event_id, d.event, d.task_id, d.route_id, d.target_name, d.type, d.host, p.part
    from deliveries d cross join missing p join ids i on i.n = p.n
    where d.id = $4
    returning part`,
});

/** Adds the deliveries of what follows the first message of an answer: further texts, and the files of the attempt. */
export async function addReplyParts(
  db: Database,
  {
    messageId,
    taskId,
    attempt,
    deliveryId,
    texts,
  }: {
    readonly messageId: string;
    readonly taskId: string;
    readonly attempt: number;
    readonly deliveryId: string;
    /** The number of further texts. */
    readonly texts: number;
  },
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.query(LOCK_EVENT, [messageId]);
    await tx.query(ADD_PARTS, [messageId, taskId, attempt, deliveryId, texts]);
  });
}

const FILE = statement({
  name: "read-reply-file",
  text: `select name, type, size, blob_key as "blobKey" from files where id = $1 and task_id = $2`,
});

/** A file of a run. */
export interface ReplyFile {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly blobKey: string;
}

/** Reads a file of a run; undefined when it was deleted. */
export async function readReplyFile(db: Database, id: string, taskId: string): Promise<ReplyFile | undefined> {
  return (await db.query<ReplyFile>(FILE, [id, taskId]))[0];
}
