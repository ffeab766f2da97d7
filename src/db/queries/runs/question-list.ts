import type { QuestionsQuery } from "#domain/tasks/question-list.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { Transaction, WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";

/** The start of the next page: after this question. */
export interface QuestionPosition {
  /** The sort time in PostgreSQL's text form. */
  readonly key: string;
  readonly id: string;
}

/** A page of questions. */
export interface QuestionPage {
  /** The questions as JSON, separated by commas. */
  readonly items: JsonText;
  /** The last question if more follow; null on the last page. */
  readonly last: QuestionPosition | null;
}

/** The run `r` of a question `q`, and `o`, the task that it works on, if any. */
const SUBJECT = `
  left join runs r on r.id = q.subject_id
  left join runs o on o.id = r.parent_id
  left join agents a on a.id = r.agent_id
  left join teams m on m.id = r.team_id`;

const FILTERS = `
  ($2::uuid is null or r.agent_id = $2) and ($3::uuid is null or r.team_id = $3)
  and ($8::uuid is null or $8 in (r.id, o.id))`;

const ROW = `
  json_build_object('kind', case coalesce(o.kind, r.kind) when 'task' then 'task' else 'run' end,
    'id', coalesce(o.id, r.id), 'title', coalesce(o.title, title_of(r)), 'status', coalesce(o.status, r.status)) as subject,
  case when a.id is not null then json_build_object('id', a.id, 'name', a.name) end as agent,
  case when m.id is not null then json_build_object('id', m.id, 'name', m.name) end as team`;

const OPEN_ROW = `
  select q.interaction_id as id, 'open' as state, ${ROW}, r.interaction as request,
    iso(q.asked_at) as asked_at, case when isfinite(q.deadline) then iso(q.deadline) end as expires_at,
    null as answered_at, null::json as answered_by, null as answered_name, null as answered_vendor_id,
    null as answered_via, null::json as answer,
    question_votes_of(q.interaction_id) as votes,
    case when q.question->'policy' is not null then coalesce((
      select json_agg(json_build_object('id', v.id, 'name', voter_name(v.id)) order by voter_name(v.id), v.id)
      from question_voters_left(q, q.stage) v (id)), '[]') end as may_answer,
    case when q.question->'policy' is not null then question_escalations(q) end as escalations,
    question_problem(q) as problem`;

const CLOSED_ROW = `
  select q.interaction_id as id, q.state, ${ROW}, q.request,
    iso(q.asked_at) as asked_at, case when isfinite(q.deadline) then iso(q.deadline) end as expires_at,
    case when q.state = 'answered' then iso(q.closed_at) end as answered_at,
    case when q.answered_by is not null then json_build_object('id', q.answered_by, 'name',
      coalesce((select u.name from users u where u.id = q.answered_by), former_name(q.answered_by))) end as answered_by,
    q.answered_name, q.answered_vendor_id, q.answered_via, q.answer,
    question_votes_of(q.interaction_id) as votes, null::json as may_answer,
    null::json as escalations, null as problem`;

const OPEN = statement({
  name: "list-open-questions",
  text: pageOf(
    `${recordOf(OPEN_ROW)}, q.deadline as key
     from task_questions q ${SUBJECT}
     where q.workspace_id = $1 and q.question->'clientCalls' is null and $7::text = 'open' and ${FILTERS}
       and ($5::timestamptz is null or (q.deadline, q.interaction_id) > ($5, $6::uuid))
     order by q.deadline, q.interaction_id limit $4::integer + 1`,
    "key, id",
  ),
});

const CLOSED = statement({
  name: "list-closed-questions",
  text: pageOf(
    `${recordOf(CLOSED_ROW)}, q.closed_at as key
     from closed_questions q ${SUBJECT}
     where q.workspace_id = $1 and q.state = $7 and ${FILTERS}
       and ($5::timestamptz is null or (q.closed_at, q.interaction_id) < ($5, $6::uuid))
     order by q.closed_at desc, q.interaction_id desc limit $4::integer + 1`,
    "key desc, id desc",
  ),
});

/** JSON keeps the order of what was asked and answered; JSONB does not. */
function recordOf(row: string): string {
  return `select q.interaction_id as id, (select to_json(record) from (${row}) record) as record`;
}

function pageOf(rows: string, order: string): string {
  return `
    with found as (select f.*, row_number() over (order by ${order}) as n from (${rows}) f)
    select
      coalesce((select string_agg(f.record::text, ',' order by f.n) from found f where f.n <= $4), '') as items,
      (select json_build_object('key', f.key::text, 'id', f.id) from found f
       where f.n = $4 and (select count(*) from found) > $4) as last`;
}

/** Lists questions in one state: open ones by deadline, others by closing time, latest first. */
export async function listQuestions(
  db: WorkspaceDatabase,
  query: QuestionsQuery & { readonly after: QuestionPosition | undefined },
): Promise<QuestionPage> {
  const { state, agent_id: agent = null, team_id: team = null, run_id: run = null, limit, after } = query;
  const values = [db.who.workspaceId, agent, team, limit, after?.key ?? null, after?.id ?? null, state, run];
  const text = state === "open" ? OPEN : CLOSED;
  const [row] = await db.query<QuestionPage>(text, values);
  if (row === undefined) throw new Error("A list query gives one row.");
  return { items: row.items, last: row.last };
}

const READ = statement({
  name: "read-question-record",
  text: `
    select to_json(found)::text as question from (
      ${OPEN_ROW} from task_questions q ${SUBJECT}
      where q.workspace_id = $1 and q.interaction_id = $2 and q.question->'clientCalls' is null
      union all
      ${CLOSED_ROW} from closed_questions q ${SUBJECT} where q.workspace_id = $1 and q.interaction_id = $2
    ) found limit 1`,
});

/** Reads a question as lists show it, as JSON; undefined when it does not exist. */
export async function readQuestionRecord(db: WorkspaceDatabase, id: string): Promise<JsonText | undefined> {
  const [row] = await db.query<{ question: JsonText }>(READ, [db.who.workspaceId, id]);
  return row?.question;
}

/** Who answered a question, under which name, through which surface, and the answer as JSON. */
export interface AnswerRecord {
  readonly userId: string | null;
  readonly name: string | null;
  /** The person's id at the vendor of a channel. */
  readonly vendorId: string | null;
  readonly via: string;
  readonly answer: string;
}

const RECORD_ANSWER = statement({
  name: "record-closed-answer",
  text: `
    update closed_questions
    set answered_by = $2, answered_name = $3, answered_via = $4, answer = $5, answered_vendor_id = $6
    where interaction_id = $1`,
});

/** Records the answer to a question that was closed in this transaction. */
export async function recordAnswer(tx: Transaction, interactionId: string, record: AnswerRecord): Promise<void> {
  const { userId, name, via, answer, vendorId } = record;
  await tx.query(RECORD_ANSWER, [interactionId, userId, name, via, answer, vendorId]);
}
