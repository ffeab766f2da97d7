import type { QuestionState, PostedMessage } from "#domain/people/question-message.ts";
import type { RouteKind } from "#domain/destinations/output-route.ts";
import type { Database, Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";
import type { RouteMember } from "./output-routes.ts";

const QUESTION = `
    select d.id, d.workspace_id as "workspaceId", d.route_id as "routeId", d.is_test as "isTest",
      e.id as "interactionId", coalesce(d.task_id, d.team_run_id) as "subjectId", e.worker as asker,
      coalesce(o.title, title_of(r), '') as subject,
      case when q.interaction_id is not null then 'open' else coalesce(c.state, 'cancelled') end as state,
      coalesce(c.request, r.interaction) as request, case when q.question->'policy' is not null then 'members' else q.question->>'approvers' end as approvers,
      case when isfinite(q.deadline) then q.deadline end as deadline,
      case when c.state = 'answered' then c.closed_at end as "answeredAt",
      coalesce(c.answered_name, (select u.name from users u where u.id = c.answered_by)) as "answeredBy",
      c.answered_via as "answeredVia", c.answered_vendor_id as "vendorId", c.answer,
      coalesce((
        select json_agg(json_build_object('userId', v.user_id, 'name', coalesce(u.name, 'Former member'),
          'approved', v.approved, 'via', v.via) order by v.at, v.user_id)
        from question_votes v left join users u on u.id = v.user_id where v.interaction_id = e.id), '[]') as votes,
      exists (
        select from output_routes o
        cross join lateral jsonb_to_recordset(o.members) m (member uuid, user_id text)
        where o.id = d.route_id and m.user_id is not null and case when q.question->'policy' is null
          then m.member in (select a.id from asked_members(o.workspace_id, json_build_object('channel', o.id)) a (id))
          else m.member in (select v.id from question_voters(q, q.stage) v (id)) end
      ) as "hasKnownMembers",
      d.posted, d.status = 'pending' and exists (
        select from jobs j where j.subject_id = d.id and j.kind = 'delivery' and j.state = 'running'
      ) as "isBeingSent"
    from deliveries d
    join delivery_events e on e.id = d.event_id
    left join task_questions q on q.subject_id in (d.task_id, d.team_run_id) and q.interaction_id = e.id
    left join closed_questions c on c.interaction_id = e.id
    left join lateral (select r.* from runs r where r.id in (d.task_id, d.team_run_id) limit 1) r on true
    left join runs o on o.id = r.parent_id
    where e.event = 'question.asked' and d.route_id is not null`;

const FIND = statement({ name: "find-posted-question", text: `${QUESTION} and d.id = $1`, narrows: ["routeId"] });
const IS_EDITED = statement({
  name: "is-posted-question-edited",
  text: `
    select exists (
      select from deliveries d join jobs j on j.subject_id = d.id and j.kind = 'delivery' and j.state = 'running'
      where d.closes = $2 and (d.created_at, d.id) < (select o.created_at, o.id from deliveries o where o.id = $1)
    ) as "isEdited"`,
});
const FIND_BY_KEY = statement({
  name: "find-posted-messages",
  text: `${QUESTION} and d.posted is not null and d.posted->>'key' = $1 and d.workspace_id = $2 order by d.id desc limit 10`,
  narrows: ["routeId"],
});

/** A question as a delivery to people has it, with its current state. */
export interface PostedQuestion {
  /** The delivery. */
  readonly id: string;
  readonly workspaceId: string;
  readonly routeId: string;
  /** A marked test, which nobody can answer. */
  readonly isTest: boolean;
  readonly interactionId: string;
  /** The waiting task or team run; null for a test. */
  readonly subjectId: string | null;
  /** The name of the agent or team, or empty. */
  readonly asker: string;
  /** The title of the work. */
  readonly subject: string;
  readonly state: QuestionState["state"];
  /** As in the event INTERACTION_REQUEST; null for a test, and for a question that was cancelled. */
  readonly request: unknown;
  /** Who must answer, `members` for a rule's question; null for one that the model asks, and a closed one. */
  readonly approvers: string | null;
  readonly deadline: Date | null;
  readonly answeredAt: Date | null;
  /** The name of the person who answered. */
  readonly answeredBy: string | null;
  readonly answeredVia: string | null;
  readonly vendorId: string | null;
  readonly answer: unknown;
  /** On a question that a rule asks, in their order. */
  readonly votes: readonly PostedVote[];
  /** Whether the route knows members of the channel who may answer it. */
  readonly hasKnownMembers: boolean;
  readonly posted: PostedMessage | null;
  /** Whether an attempt to post it is in progress. */
  readonly isBeingSent: boolean;
}

/** A vote on a question that a rule asks. */
export interface PostedVote {
  readonly userId: string;
  readonly name: string;
  readonly approved: boolean;
  /** The channel. */
  readonly via: string;
}

/** Finds the question of a delivery, by its id. */
export async function findPostedQuestion(db: Database, deliveryId: string): Promise<PostedQuestion | undefined> {
  return (await db.query<PostedQuestion>(FIND, [deliveryId]))[0];
}

/** Finds the questions whose message has this key in a workspace, newest first. */
export function findPostedMessages(db: Database, workspaceId: string, key: string): Promise<PostedQuestion[]> {
  return db.query<PostedQuestion>(FIND_BY_KEY, [key, workspaceId]);
}

/** Whether an earlier delivery is editing the same message now: of two edits the later one must come last. */
export async function isBeingEdited(
  db: Database,
  { id, closes }: { readonly id: string; readonly closes: string },
): Promise<boolean> {
  const [row] = await db.query<{ isEdited: boolean }>(IS_EDITED, [id, closes]);
  return row?.isEdited === true;
}

const EDIT = statement({ name: "edit-posted-question", text: `select edit_posted_question($1)` });

/** Queues edits of the messages that ask an open question, which show its votes. */
export async function editPostedQuestion(tx: Pick<Transaction, "query">, interactionId: string): Promise<void> {
  await tx.query(EDIT, [interactionId]);
}

const INSERT_LINK = statement({
  name: "insert-route-answer-link",
  text: `
    insert into answer_links (token_hash, workspace_id, interaction_id, subject_id, created_by, route_id)
    select $1, $2, $3, $4, coalesce(o.created_by, (
        select m.user_id from members m where m.workspace_id = $2 and m.role = 'owner' order by m.user_id limit 1
      )), o.id
    from output_routes o where o.id = $5
    on conflict do nothing
    returning id`,
});

/** Stores the link that a route of kind people posts with a question; once for each token. */
export async function insertRouteLink(
  db: Database,
  link: {
    readonly tokenHash: string;
    readonly workspaceId: string;
    readonly interactionId: string;
    readonly subjectId: string;
    readonly routeId: string;
  },
): Promise<void> {
  const { tokenHash, workspaceId, interactionId, subjectId, routeId } = link;
  await db.query(INSERT_LINK, [tokenHash, workspaceId, interactionId, subjectId, routeId]);
}

const FIND_CHANNEL = statement({
  name: "find-called-route",
  text: `
    select o.id, o.workspace_id as "workspaceId", o.kind, o.type, o.is_active as "isActive", o.agent_id as "agentId",
      (select a.name from agents a where a.id = o.agent_id) as "agentName", o.config,
      -- Those who may answer: who has left, or only reads, is a stranger in the channel.
      (select coalesce(json_agg(m.person), '[]') from jsonb_array_elements(o.members) m (person)
        where (m.person->>'member')::uuid in (
          select a.id from asked_members(o.workspace_id, json_build_object('channel', o.id)) a (id))) as members,
      o.secrets_ciphertext as "secretsCiphertext", o.allowed_user_ids as "allowedUserIds",
      coalesce(o.created_by, (
        select m.user_id from members m where m.workspace_id = o.workspace_id and m.role = 'owner'
        order by m.user_id limit 1
      )) as "userId"
    from output_routes o
    join workspaces w on w.id = o.workspace_id and w.deleted_at is null
    where o.id = $1 and o.kind in ('people', 'agent')`,
});

/** A route of kind people or agent, as a call of its vendor needs it. */
export interface CalledRoute {
  readonly id: string;
  readonly workspaceId: string;
  readonly kind: RouteKind;
  readonly type: string;
  readonly isActive: boolean;
  /** Kind agent: the agent; null when it was deleted. */
  readonly agentId: string | null;
  readonly agentName: string | null;
  readonly config: Readonly<Record<string, unknown>>;
  readonly secretsCiphertext: string | null;
  /** Empty: everybody in the channel. */
  readonly allowedUserIds: readonly string[];
  /** The members in the channel who may answer questions, with their ids at the vendor. */
  readonly members: readonly RouteMember[];
  /** Its creator, or an owner of the workspace. */
  readonly userId: string | null;
}

/** Finds a route of kind people or agent. */
export async function findCalledRoute(db: Database, id: string): Promise<CalledRoute | undefined> {
  return (await db.query<CalledRoute>(FIND_CHANNEL, [id]))[0];
}
