import type { Role } from "#domain/access/role.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { Database, WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";

const INSERT = statement({
  name: "insert-answer-link",
  text: `
    with asked as (
      select subject_id, 'open' as state, deadline, question->>'approvers' as approvers from task_questions
      where interaction_id = $2 and workspace_id = $3 and question->'clientCalls' is null
      union all
      select subject_id, state, deadline, null from closed_questions where interaction_id = $2 and workspace_id = $3
    ), allowed as (
      select answer_links as allowed, coalesce($5::timestamptz <= now(), false) as past from workspaces where id = $3
    ), made as (
      insert into answer_links (token_hash, workspace_id, interaction_id, subject_id, created_by, expires_at)
      select $1, $3, $2, subject_id, $4, $5 from asked, allowed
      where state = 'open' and allowed and not past and (coalesce(approvers, 'caller') = 'caller' or not $6::boolean and approvers = 'people')
    )
    select allowed, past as "isPast", (select state from asked limit 1) as state,
      (select approvers from asked limit 1) as approvers,
      (select case when isfinite(least(deadline, $5)) then iso(least(deadline, $5)) end from asked limit 1) as expires_at
    from allowed`,
});

/** The result of creating a link. */
export interface LinkOutcome {
  /** Whether the workspace allows links. */
  readonly allowed: boolean;
  /** Whether the link's expiry has passed. */
  readonly isPast: boolean;
  /** The state of the question; null when it does not exist. The link is created only for an open one. */
  readonly state: "open" | "answered" | "expired" | null;
  /** Who must answer; a link that does not fit is not created. */
  readonly approvers: string | null;
  /** The latest possible expiry. */
  readonly expires_at: string | null;
}

/** Stores a link to an open question, if the workspace allows links. */
export async function insertAnswerLink(
  db: WorkspaceDatabase,
  link: {
    readonly tokenHash: string;
    readonly interactionId: string;
    readonly userId: string;
    readonly expiresAt: string | null;
  },
): Promise<LinkOutcome> {
  const { tokenHash, interactionId, userId, expiresAt } = link;
  const isByKey = (db.who.keyId ?? null) !== null;
  const values = [tokenHash, interactionId, db.who.workspaceId, userId, expiresAt, isByKey];
  const [row] = await db.query<LinkOutcome>(INSERT, values);
  if (row === undefined) throw new Error("A workspace that is worked in exists.");
  return row;
}

const FIND = statement({
  name: "find-linked-question",
  text: `
    select l.workspace_id as "workspaceId", l.interaction_id as "interactionId", l.subject_id as "subjectId",
      l.created_by as "createdBy", coalesce(m.role, 'member') as role, w.name as workspace,
      coalesce(a.name, e.name) as asker, coalesce(o.title, title_of(r), '') as title,
      coalesce(c.state, 'open') as state, coalesce(c.request, r.interaction) as request,
      case when isfinite(coalesce(q.deadline, c.deadline)) then iso(coalesce(q.deadline, c.deadline)) end as expires_at,
      case when c.state = 'answered' then iso(c.closed_at) end as answered_at,
      case when c.state = 'answered' then
        coalesce(c.answered_name, (select u.name from users u where u.id = c.answered_by), former_name(c.answered_by)) end as answered_by
    from answer_links l
    join workspaces w on w.id = l.workspace_id and w.deleted_at is null
    left join members m on m.workspace_id = l.workspace_id and m.user_id = l.created_by and m.role <> 'viewer'
    left join task_questions q on q.interaction_id = l.interaction_id
    left join closed_questions c on c.interaction_id = l.interaction_id
    left join runs r on r.id = l.subject_id
    left join runs o on o.id = r.parent_id
    left join agents a on a.id = r.agent_id
    left join teams e on e.id = r.team_id
    left join output_routes p on p.id = l.route_id
    where l.token_hash = $1
      and case when l.route_id is null then w.answer_links and m.role is not null else p.is_active end
      and l.revoked_at is null and (l.expires_at is null or l.expires_at > now())
      and (q.interaction_id is not null or c.interaction_id is not null)`,
});

/** A question as a link to it shows it. */
export interface LinkedQuestion {
  readonly workspaceId: string;
  readonly interactionId: string;
  /** The waiting task or team run. */
  readonly subjectId: string;
  /** The link's creator, and this person's current role. */
  readonly createdBy: string;
  readonly role: Role;
  /** The workspace's name. */
  readonly workspace: string;
  /** The name of the asking agent or team. */
  readonly asker: string | null;
  /** The title of the waiting work. */
  readonly title: string;
  readonly state: "open" | "answered" | "expired";
  /** The question as in the event INTERACTION_REQUEST. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly expires_at: string | null;
  readonly answered_at: string | null;
  readonly answered_by: string | null;
}

/**
 * Finds the question of a link; undefined when the link does not exist, has expired or was revoked; for a person's link
 * when the workspace does not allow links, or its creator may no longer answer; for a route's when it is paused.
 */
export async function findLinkedQuestion(db: Database, tokenHash: string): Promise<LinkedQuestion | undefined> {
  return (await db.query<LinkedQuestion>(FIND, [tokenHash]))[0];
}

const LIST = statement({
  name: "list-answer-links",
  text: `
    with page as (
      select l.id, l.interaction_id, l.subject_id, l.created_by, l.route_id, l.created_at, l.expires_at, l.revoked_at,
        row_number() over (order by l.created_at desc, l.id desc) as n
      from answer_links l
      where l.workspace_id = $1 and ($2::uuid is null or l.interaction_id = $2)
        and ($3::timestamptz is null or (l.created_at, l.id) < ($3, $4::uuid))
      order by l.created_at desc, l.id desc limit $5::integer + 1
    )
    select
      coalesce((
        select string_agg(json_build_object(
          'id', p.id, 'question_id', p.interaction_id, 'run_id', coalesce(o.id, p.subject_id), 'title', coalesce(o.title, title_of(r)),
          'question', coalesce(c.request, r.interaction)->>'title',
          'state', case
            when p.revoked_at is not null then 'revoked'
            when c.state is not null then c.state
            when q.interaction_id is null or p.expires_at <= now() then 'expired'
            else 'open' end,
          'created_by', json_build_object('id', p.created_by,
            'name', coalesce((select u.name from users u where u.id = p.created_by), former_name(p.created_by))),
          'route', (select json_build_object('id', o.id, 'name', o.name) from output_routes o where o.id = p.route_id),
          'created_at', iso(p.created_at), 'expires_at', e.at, 'revoked_at', iso(p.revoked_at)
          )::text, ',' order by p.n)
        from page p
        left join task_questions q on q.interaction_id = p.interaction_id
        left join closed_questions c on c.interaction_id = p.interaction_id
        left join lateral (
          select iso(end_at) as at from least(p.expires_at, q.deadline, c.deadline) end_at where isfinite(end_at)
        ) e on true
        left join runs r on r.id = p.subject_id
        left join runs o on o.id = r.parent_id
        where p.n <= $5), '') as items,
      (select json_build_object('at', p.created_at, 'id', p.id) from page p
       where p.n = $5 and (select count(*) from page) > $5) as last`,
});

/** Where a page of links ends. */
export interface LinkPosition {
  readonly at: string;
  readonly id: string;
}

/** A page of links. */
export interface LinkPage {
  /** The links as JSON, with commas between them. */
  readonly items: JsonText;
  /** The last link when there are more; null on the last page. */
  readonly last: LinkPosition | null;
}

/** Lists the links of a workspace, or of one question, newest first. */
export async function listAnswerLinks(
  db: WorkspaceDatabase,
  page: { readonly interactionId: string | null; readonly after: LinkPosition | undefined; readonly limit: number },
): Promise<LinkPage> {
  const { interactionId, after, limit } = page;
  const values = [db.who.workspaceId, interactionId, after?.at ?? null, after?.id ?? null, limit];
  const [row] = await db.query<LinkPage>(LIST, values);
  if (row === undefined) throw new Error("A list query gives one row.");
  return row;
}

const REVOKE = statement({
  name: "revoke-answer-link",
  text: `
    with found as (
      update answer_links set revoked_at = now() where id = $1 and workspace_id = $2 and revoked_at is null returning id
    )
    select id from found union select id from answer_links where id = $1 and workspace_id = $2`,
});

/** Revokes a link, immediately; false when the workspace has no such link. */
export async function revokeAnswerLink(db: WorkspaceDatabase, linkId: string): Promise<boolean> {
  return (await db.query<{ id: string }>(REVOKE, [linkId, db.who.workspaceId])).length > 0;
}
