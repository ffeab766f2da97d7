import type { ChannelFile, ChannelPlace } from "#domain/people/channel-message.ts";
import type { Database, Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

/** A message that somebody wrote in a channel. */
export interface NewChannelMessage {
  readonly id: string;
  readonly workspaceId: string;
  readonly routeId: string;
  /** The vendor's ids of the message. */
  readonly key: string;
  readonly place: ChannelPlace;
  /** The thread id of the conversation. */
  readonly conversation: string;
  readonly person: { readonly id: string; readonly name: string };
  readonly text: string;
  readonly files: readonly ChannelFile[];
  /** Whether the person is on the route's list. */
  readonly isAllowed: boolean;
  /** Whether it is a command, which needs no run. */
  readonly isCommand: boolean;
}

/**
 * What becomes of a message; `answered` once it was the answer to a question, `ignored` when it is known, or its sender
 * was told before.
 */
export type MessageOutcome = "accepted" | "answered" | "refused" | "limited" | "told" | "ignored";

// Messages of one person are taken one after another, so that the limit and the single refusal hold over all processes.
const LOCK = statement({
  name: "lock-channel-person",
  text: `select pg_advisory_xact_lock(hashtextextended('muster.channel ' || $1::text || ' ' || $2::text, 0)) is null as locked`,
});

const INSERT = statement({
  name: "insert-channel-message",
  text: `
    with facts as (
      select o.messages_per_minute as most,
        exists (select from channel_messages m where m.route_id = o.id and m.message_key = $4) as known,
        exists (select from channel_messages m where m.route_id = o.id and m.person_id = $8 and m.outcome = 'refused')
          as refused,
        (select count(*) from channel_messages m where m.route_id = o.id and m.person_id = $8
          and m.outcome in ('accepted', 'told') and m.created_at > clock_timestamp() - interval '1 minute') as recent,
        exists (select from channel_messages m where m.route_id = o.id and m.person_id = $8 and m.outcome = 'limited'
          and m.created_at > clock_timestamp() - interval '1 minute') as limited
      from output_routes o where o.id = $3
    ),
    decided as (
      select case
        when known then null
        when not $12::boolean then case when not refused then 'refused' end
        when recent >= most then case when not limited then 'limited' end
        when $13::boolean then 'told'
        else 'accepted' end as outcome
      from facts
    )
    insert into channel_messages (id, workspace_id, route_id, message_key, channel, thread, conversation, person_id,
      person_name, text, files, outcome)
    select $1, $2, $3, $4, $5, $6, $7, $8, $9, case d.outcome when 'accepted' then $10 else '' end,
      case d.outcome when 'accepted' then $11::jsonb else '[]' end, d.outcome
    from decided d where d.outcome is not null
    on conflict (route_id, message_key) do nothing
    returning outcome`,
});

const DELIVER = statement({
  name: "deliver-channel-message",
  text: `
    with happened as (
      insert into delivery_events (id, workspace_id, event, attempt, title, worker, status, result, happened_at)
      select m.id, m.workspace_id, case m.outcome when 'accepted' then 'channel.reply' else 'channel.notice' end, 1,
        m.person_name, coalesce(a.name, ''), 'running', $2, clock_timestamp()
      from channel_messages m join output_routes o on o.id = m.route_id left join agents a on a.id = o.agent_id
      where m.id = $1
      returning id, event
    )
    insert into deliveries (workspace_id, event_id, event, route_id, target_name, type, host)
    select m.workspace_id, h.id, h.event, o.id, o.name, o.type, o.host
    from happened h join channel_messages m on m.id = $1 join output_routes o on o.id = m.route_id
    returning id`,
});

/**
 * Stores a message, and what is delivered because of it; once for each key.
 * @param sayOf what is said for an outcome that needs no run
 */
export async function storeMessage(
  tx: Transaction,
  message: NewChannelMessage,
  sayOf: (outcome: MessageOutcome) => string,
): Promise<MessageOutcome> {
  const { id, workspaceId, routeId, key, place, conversation, person, text, files, isAllowed, isCommand } = message;
  await tx.query(LOCK, [routeId, person.id]);
  const values = [id, workspaceId, routeId, key, place.channel, place.thread, conversation, person.id, person.name];
  const [row] = await tx.query<{ outcome: MessageOutcome }>(INSERT, [
    ...values,
    text,
    JSON.stringify(files),
    isAllowed,
    isCommand,
  ]);
  if (row === undefined) return "ignored";
  await tx.query(DELIVER, [id, sayOf(row.outcome)]);
  return row.outcome;
}

const LAST_CONVERSATION = statement({
  name: "last-conversation-of-channel",
  text: `
    select conversation from channel_messages
    where route_id = $1 and channel = $2 and thread is not distinct from $3 and outcome in ('accepted', 'told')
    order by id desc limit 1`,
});

/** The newest conversation in a place; undefined when there is none. */
export async function findLastConversation(
  db: Database,
  routeId: string,
  { channel, thread }: ChannelPlace,
): Promise<string | undefined> {
  return (await db.query<{ conversation: string }>(LAST_CONVERSATION, [routeId, channel, thread]))[0]?.conversation;
}

const CONVERSATION_OF = statement({
  name: "conversation-of-message",
  text: `
    select conversation from channel_messages where route_id = $1 and message_key = $2
    union all
    select m.conversation from deliveries d join channel_messages m on m.id = d.event_id
    where d.posted is not null and d.posted->>'key' = $2 and m.route_id = $1
    limit 1`,
});

/** The conversation to which a message belongs, a person's or the agent's; undefined for any other message. */
export async function findConversationOf(db: Database, routeId: string, key: string): Promise<string | undefined> {
  return (await db.query<{ conversation: string }>(CONVERSATION_OF, [routeId, key]))[0]?.conversation;
}

const OTHER_ROUTES = statement({
  name: "find-routes-of-channel",
  text: `
    select o.id from output_routes o
    where o.workspace_id = $1 and o.kind = 'agent' and o.type = $2 and coalesce(o.config->>'channel_id', o.config->>'chat_id') = $3
    order by o.created_at, o.id limit 20`,
});

/** The routes of kind agent that are for one channel, oldest first. */
export async function findRoutesOfChannel(
  db: Database,
  { workspaceId, type, channel }: { readonly workspaceId: string; readonly type: string; readonly channel: string },
): Promise<readonly string[]> {
  return (await db.query<{ id: string }>(OTHER_ROUTES, [workspaceId, type, channel])).map(({ id }) => id);
}

const PLACE = statement({
  name: "place-of-run",
  text: `
    select m.channel, m.thread, exists (
      select from deliveries d where d.event_id = m.id and d.event = 'channel.reply' and d.part is null
        and d.status = 'pending' and d.posted is null) as "isSilent"
    from channel_messages m where m.workspace_id = $1 and m.task_id = $2 and m.route_id = $3
    order by m.id desc limit 1`,
});

/** Where the conversation of a run is held. */
export interface ConversationPlace extends ChannelPlace {
  /** Whether the message in which the run answers is still to be posted. */
  readonly isSilent: boolean;
}

/** Finds it; undefined when it is in no channel of the route. */
export async function findPlaceOfRun(
  db: Database,
  run: { readonly workspaceId: string; readonly taskId: string; readonly routeId: string },
): Promise<ConversationPlace | undefined> {
  return (await db.query<ConversationPlace>(PLACE, [run.workspaceId, run.taskId, run.routeId]))[0];
}

const NOTE_TAKEN = statement({
  name: "note-taken-up",
  text: `
    select note_taken_up($1, $2, coalesce((select r.attempt from runs r where r.id = $2), 1) + $3::integer) is null as noted`,
});

/** Notes that a run answers a message. @param further how many attempts after the run's present one */
export async function noteTakenUp(
  tx: Transaction,
  { id, taskId, further }: { readonly id: string; readonly taskId: string; readonly further: 0 | 1 },
): Promise<void> {
  await tx.query(NOTE_TAKEN, [id, taskId, further]);
}

const NOTE_ANSWERED = statement({ name: "note-answered", text: `select note_answered($1) is null as noted` });

/** Notes that a message was the answer to a question. */
export async function noteAnswered(tx: Transaction, id: string): Promise<void> {
  await tx.query(NOTE_ANSWERED, [id]);
}
