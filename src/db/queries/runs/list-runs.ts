import type { RunsFilter, RunsQuery } from "#domain/runs/run-list.ts";
import { idRangeOf, keywordsOf } from "#domain/runs/run-list.ts";
import type { Tenant } from "#domain/access/role.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { Database, Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

/** The time limit of a list, in milliseconds. */
const TIMEOUT_MS = 10_000;
/** A text matching more rows than this is searched while the list is read. */
const MAX_FOUND = 1_000;
const ACTIVE = "('running', 'waiting_for_input')";
/** Not started, so cost and duration are zero. */
const WAITING = "('pending', 'dispatched')";

/** The start of the next page: after this row. */
export interface RunPosition {
  /** The row's sort value in PostgreSQL's text form. */
  readonly key: string;
  readonly id: string;
}

/** A page of the run list. */
export interface RunPage {
  /** The rows as JSON, separated by commas. */
  readonly items: JsonText;
  /** The last row if more follow; null on the last page. */
  readonly last: RunPosition | null;
}

/** SQL: how the run `t` was created. */
export const SOURCE = `json_build_object('kind', t.source_kind, 'id', t.source_id, 'name', case
        when t.source_kind = 'schedule' then (select s.name from schedules s where s.id = t.source_id)
        when t.source_kind = 'trigger' then (select g.name from triggers g where g.id = t.source_id)
        when t.source_kind = 'fork' then null
        else coalesce((select y.label from api_keys y where y.id = t.source_id),
          (select w.name from users w where w.id = t.source_id)) end)`;

/** The differences between the two tables of the list. */
interface Side {
  readonly table: string;
  /** A condition for the table's rows that belong to the list. */
  readonly own: string;
  readonly title: string;
  readonly agentId: string;
  readonly teamId: string;
  /** The key of the usage of a row's current attempt. */
  readonly usage: string;
}

const TASKS: Side = {
  table: "tasks",
  own: "true",
  title: "t.title",
  agentId: "t.assigned_agent_id",
  teamId: "t.assigned_team_id",
  usage: "u.task_id = t.id",
};
const RUNS: Side = {
  table: "team_runs",
  own: "t.task_id is null",
  title: "run_title(t.input_task)",
  agentId: "null::uuid",
  teamId: "t.team_id",
  usage: "u.team_run_id = t.id",
};

/** The type of a sort key, and its text form in a cursor. */
const KEYS = {
  newest: { type: "timestamptz", text: "iso(p.key)" },
  cost: { type: "numeric", text: "p.key::text" },
  duration: { type: "numeric", text: "p.key::text" },
} as const;

/**
 * Lists tasks, and team runs without a task, that match all filters. Active rows are sorted by their cost or duration
 * so far.
 */
export async function listRuns(
  db: Database,
  tenant: Tenant,
  query: RunsQuery & { readonly after: RunPosition | undefined },
): Promise<RunPage> {
  const values: unknown[] = [tenant.workspaceId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const [row] = await db.inWorkspace(tenant, async (tx) => {
    const search = query.q === undefined ? undefined : await searchTitles(tx, query.q);
    const text = listText({ ...query, search }, bind);
    return tx.queryOnce<RunPage>({ text, values, timeoutMs: TIMEOUT_MS });
  });
  if (row === undefined) throw new Error("A list query gives one row.");
  return { items: row.items, last: row.last };
}

const FIND_TITLES = statement({
  name: "find-titles",
  text: `select find_titles(to_tsquery('simple', $1), $2) as found`,
});

/** How a text is searched: by id when few titles match, otherwise by words; and by the beginning of ids. */
export interface Search {
  readonly words: string | undefined;
  readonly found: readonly string[];
  readonly ids: ReturnType<typeof idRangeOf>;
}

/** Few matches are found by the word index; with many, the first page fills quickly in any order. */
export async function searchTitles(tx: Transaction, q: string): Promise<Search> {
  const words = keywordsOf(q)
    .map((word) => `${word}:*`)
    .join(" & ");
  const ids = idRangeOf(q);
  if (words === "") return { words: undefined, found: [], ids };
  const [row] = await tx.query<{ found: string[] }>(FIND_TITLES, [words, MAX_FOUND + 1]);
  const found = row?.found ?? [];
  return found.length > MAX_FOUND ? { words, found: [], ids } : { words: undefined, found, ids };
}

/** A list, with its text search. */
type Listing = RunsQuery & Searched & { readonly after: RunPosition | undefined };

interface Searched {
  readonly search: Search | undefined;
}

/** A task, or a team run without one, and its status. */
export interface FoundRun {
  readonly kind: "task" | "run";
  readonly id: string;
  readonly status: string;
}

/** The runs to select: by ids, or by a filter. */
export type RunSelection = { readonly ids: readonly string[] } | { readonly filter: RunsFilter };

/** Finds up to `limit` runs, oldest first. A team's task is found only by its own id. */
export async function findRuns(
  tx: Transaction,
  { workspaceId }: Tenant,
  selection: RunSelection,
  limit: number,
): Promise<FoundRun[]> {
  const values: unknown[] = [workspaceId];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const count = bind(limit);
  const filter = "filter" in selection ? selection.filter : {};
  const search = filter.q === undefined ? undefined : await searchTitles(tx, filter.q);
  const conditionsOf = (side: Side) =>
    "ids" in selection ? [`t.id = any(${bind(selection.ids)}::uuid[])`] : filters(side, { ...filter, search }, bind);
  const part = (side: Side, kind: string) => `
    (select ${kind} as kind, t.id, t.status, t.created_at from ${side.table} t
     where ${["t.workspace_id = $1", side.own, ...conditionsOf(side)].join(" and ")}
     order by t.created_at, t.id limit ${count}::integer)`;
  const text = `
    select kind, id, status from (${part(TASKS, "'task'")} union all ${part(RUNS, "'run'")}) found
    order by created_at, id limit ${count}::integer`;
  return tx.queryOnce<FoundRun>({ text, values, timeoutMs: TIMEOUT_MS });
}

/** Adds a value to a statement's parameters; returns its placeholder. */
export type Bind = (value: unknown) => string;

function listText(query: Listing, bind: Bind): string {
  const { sort, limit, after } = query;
  const { type, text } = KEYS[sort];
  const count = bind(limit);
  const behind =
    after === undefined ? "true" : `(k.key, k.id) < (${bind(after.key)}::text::${type}, ${bind(after.id)}::uuid)`;
  const sides = [TASKS, RUNS].map((side) => sideText(side, query, { bind, behind, count }));
  return `
    with found as (
      select *, row_number() over (order by key desc, id desc) as n
      from (${sides.join(" union all ")}) sides order by key desc, id desc limit ${count}::integer + 1
    ), page as (select * from found where n <= ${count}::integer)
    select
      coalesce((select string_agg(row_to_json(r)::text, ',' order by p.n) from page p cross join lateral (
        ${rowText(TASKS, "'task'", "p.kind = 'tasks'")} union all ${rowText(RUNS, "'run'", "p.kind = 'team_runs'")}
      ) r), '') as items,
      (select json_build_object('key', ${text}, 'id', p.id) from page p
       where p.n = ${count}::integer and (select count(*) from found) > ${count}::integer) as last`;
}

/** The first rows of one table in an order: ended ones by index, active ones by their usage. */
function sideText(
  side: Side,
  query: Listing,
  { bind, behind, count }: { readonly bind: Bind; readonly behind: string; readonly count: string },
): string {
  const conditions = [`t.workspace_id = $1`, side.own, ...filters(side, query, bind)];
  const part = (key: string, more: string) => `
    (select '${side.table}' as kind, k.id, k.key from (
      select t.id, ${key} as key from ${side.table} t where ${[...conditions, more].join(" and ")}) k
     where ${behind} order by k.key desc, k.id desc limit ${count}::integer + 1)`;
  const ended = `t.completed_at is not null and t.status not in ${ACTIVE}`;
  const waiting = `t.status in ${WAITING}`;
  const active = `t.status in ${ACTIVE}`;
  switch (query.sort) {
    case "newest":
      return part("t.created_at", "true");
    case "cost":
      return [part("t.cost_usd", ended), part(costSoFar(side), active), part("0", waiting)].join(" union all ");
    case "duration":
      return [
        part(secondsUntil("t.completed_at"), ended),
        part(secondsUntil("clock_timestamp()"), active),
        part("-1", waiting),
      ].join(" union all ");
  }
}

function filters(side: Side, query: RunsFilter & Searched, bind: Bind): string[] {
  const { status, agent_id, team_id, source, error_code, tag, search, since, until, min_cost } = query;
  const anyOf = (column: string, values: readonly string[] | undefined, type: string) =>
    values === undefined ? [] : [`${column} = any(${bind(values)}::${type}[])`];
  return [
    ...anyOf("t.status", status, "text"),
    ...anyOf(side.agentId, agent_id, "uuid"),
    ...anyOf(side.teamId, team_id, "uuid"),
    ...anyOf("t.source_kind", source, "text"),
    ...anyOf("t.error_code", error_code, "text"),
    ...(tag === undefined
      ? []
      : [`${side.agentId} in (select a.id from agents a where a.tags && ${bind(tag)}::text[])`]),
    ...(search === undefined ? [] : [searchText(search, bind)]),
    ...(since === undefined ? [] : [`t.created_at >= ${bind(since)}::timestamptz`]),
    ...(until === undefined ? [] : [`t.created_at < ${bind(until)}::timestamptz`]),
    ...(min_cost === undefined ? [] : [costText(side, bind(min_cost))]),
  ];
}

/** The duration of an attempt until a time; attempts that have not started come last. */
function secondsUntil(end: string): string {
  return `coalesce(extract(epoch from ${end} - t.started_at), -1)`;
}

function costText(side: Side, least: string): string {
  return `(t.cost_usd >= ${least}::numeric and t.status not in ${ACTIVE}
    or t.status in ${ACTIVE} and ${costSoFar(side)} >= ${least}::numeric)`;
}

function costSoFar({ usage }: Side): string {
  return `coalesce((select sum(u.estimated_cost_usd) from usage_records u where ${usage} and u.attempt = t.attempt), 0)`;
}

/** SQL: whether a row `t` matches a search. */
export function searchText({ words, found, ids }: Search, bind: Bind): string {
  const either = [
    ...(words === undefined ? [] : [`t.title_search @@ to_tsquery('simple', ${bind(words)})`]),
    ...(found.length === 0 ? [] : [`t.id = any(${bind(found)}::uuid[])`]),
    ...(ids === undefined ? [] : [`t.id between ${bind(ids.first)}::uuid and ${bind(ids.last)}::uuid`]),
  ];
  return either.length === 0 ? "false" : `(${either.join(" or ")})`;
}

/** A row of the list, built from the table row with the id of `p`. */
function rowText(side: Side, kind: string, when: string): string {
  const isTask = side === TASKS;
  return `
    select t.id, ${kind} as kind, ${side.title} as title, t.status,
      (select json_build_object('id', a.id, 'name', a.name) from agents a where a.id = ${side.agentId}) as agent,
      (select json_build_object('id', m.id, 'name', m.name) from teams m where m.id = ${side.teamId}) as team,
      ${SOURCE} as source,
      t.attempt, ${isTask ? "iso(t.scheduled_for)" : "null"} as scheduled_for, iso(t.created_at) as created_at,
      ${isTask ? "iso(t.dispatched_at)" : "iso(t.created_at)"} as queued_at, iso(t.started_at) as started_at,
      iso(t.completed_at) as ended_at, iso(t.updated_at) as updated_at,
      round(extract(epoch from coalesce(t.completed_at, case when t.status in ${ACTIVE} then clock_timestamp() end)
        - t.started_at) * 1000)::bigint as duration_ms,
      coalesce(used.tokens, 0) as tokens, coalesce(used.cost, 0)::double precision as cost_usd, t.error_code,
      t.interaction->>'expiresAt' as question_due, ${isTask ? "t.agent_version" : "null::integer"} as version
    from ${side.table} t
    cross join lateral (
      select sum(u.prompt_tokens + u.completion_tokens) as tokens, sum(u.estimated_cost_usd) as cost
      from usage_records u where ${side.usage} and u.attempt = t.attempt) used
    where ${when} and t.id = p.id`;
}
