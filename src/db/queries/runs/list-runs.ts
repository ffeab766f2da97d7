import type { RunsFilter, RunsQuery } from "#domain/runs/run-list.ts";
import type { Tenant } from "#domain/access/role.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { Transaction, WorkspaceDatabase } from "../../database.ts";
import { findCostly } from "./find-costly.ts";
import { byWords, searchText, searchTitles } from "./search-titles.ts";
import type { Bind, RunPosition, Search } from "./search-titles.ts";

/** The time limit of a list, in milliseconds. */
const TIMEOUT_MS = 10_000;
/** Each has its own order in the indexes of costs and durations. */
const ENDED = ["completed", "failed", "cancelled"] as const;
const ACTIVE = "('running', 'waiting_for_input')";
/** Not started, so cost and duration are zero. */
const WAITING = "('pending', 'dispatched')";

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
        when t.source_kind = 'page' then (select p.title from agent_pages p where p.id = t.source_id)
        when t.source_kind = 'channel' then (select o.name from output_routes o where o.id = t.source_id)
        when t.source_kind = 'fork' then null
        else coalesce((select y.label from api_keys y where y.id = t.source_id),
          (select w.name from users w where w.id = t.source_id)) end)`;

/** A run with a parent is part of it. */
const OWN = ["t.workspace_id = $1", "t.parent_id is null"] as const;
/** SQL: the kind of the listed run `t`. */
const KIND = "case t.kind when 'task' then 'task' else 'run' end";
/** The kinds have each an index of the newest. */
const KINDS = ["t.kind = 'task'", "t.kind = 'team_run'"] as const;
/** SQL: the usage `u` of the run `t`'s current attempt. */
const USED = "(u.task_id = t.id or u.team_run_id = t.id) and u.attempt = t.attempt";
const COST_SO_FAR = `coalesce((select sum(u.estimated_cost_usd) from usage_records u where ${USED}), 0)`;

/** A row of the list, built from the run with the id of `p`. */
const ROW = `
    select t.id, ${KIND} as kind, title_of(t) as title, t.status,
      (select json_build_object('id', a.id, 'name', a.name) from agents a where a.id = t.agent_id) as agent,
      (select json_build_object('id', m.id, 'name', m.name) from teams m where m.id = t.team_id) as team,
      ${SOURCE} as source,
      t.attempt, iso(t.scheduled_for) as scheduled_for, iso(t.created_at) as created_at,
      iso(case t.kind when 'task' then t.dispatched_at else t.created_at end) as queued_at,
      iso(t.started_at) as started_at, iso(t.completed_at) as ended_at, iso(t.updated_at) as updated_at,
      round(extract(epoch from coalesce(t.completed_at, case when t.status in ${ACTIVE} then clock_timestamp() end)
        - t.started_at) * 1000)::bigint as duration_ms,
      coalesce(used.tokens, 0) as tokens, coalesce(used.cost, 0)::double precision as cost_usd, t.error_code,
      t.interaction->>'expiresAt' as question_due,
      (select json_build_object(
          'up', count(*) filter (where f.rating = 'up'), 'down', count(*) filter (where f.rating = 'down'),
          'notes', count(*) filter (where f.note <> '' or f.correction <> ''))
        from feedback f where f.run_id = t.id and f.attempt = t.attempt) as feedback,
      t.agent_version as version
    from runs t
    cross join lateral (
      select sum(u.prompt_tokens + u.completion_tokens) as tokens, sum(u.estimated_cost_usd) as cost
      from usage_records u where ${USED}) used
    where t.id = p.id`;

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
  db: WorkspaceDatabase,
  query: RunsQuery & { readonly after: RunPosition | undefined },
): Promise<RunPage> {
  return db.transaction(async (tx) => {
    const costly = hasLeast(query) ? await findCostly(tx, query.min_cost) : undefined;
    const read = (search: Search | undefined) => readPage(tx, db.who, { ...query, search, costly });
    if (query.q === undefined) return read(undefined);
    const isNewest = query.sort === "newest";
    const search = await searchTitles(tx, query.q, isNewest ? query.after : undefined);
    if (search.isComplete) return read(search);
    // The newest matches are a page of the newest runs, unless other filters leave too few of them.
    const page = isNewest && search.ids === undefined ? await read(search) : undefined;
    return page !== undefined && page.last !== null ? page : read(byWords(search));
  });
}

async function readPage(tx: Transaction, tenant: Tenant, listing: Listing): Promise<RunPage> {
  const values: unknown[] = [tenant.workspaceId];
  const text = listText(listing, (value) => `$${values.push(value)}`);
  const [row] = await tx.queryOnce<RunPage>({ text, values, timeoutMs: TIMEOUT_MS });
  if (row === undefined) throw new Error("A list query gives one row.");
  return { items: row.items, last: row.last };
}

/** A list, with its text search. */
type Listing = RunsQuery & Searched & Costly & { readonly after: RunPosition | undefined };

interface Searched {
  readonly search: Search | undefined;
}

interface Costly {
  /** The ended runs of the minimum cost, if they are few. */
  readonly costly: readonly string[] | undefined;
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
  const found = filter.q === undefined ? undefined : await searchTitles(tx, filter.q);
  const search = found === undefined || found.isComplete ? found : byWords(found);
  const costly = hasLeast(filter) ? await findCostly(tx, filter.min_cost) : undefined;
  const conditions =
    "ids" in selection ? [`t.id = any(${bind(selection.ids)}::uuid[])`] : filters({ ...filter, search }, bind);
  const parts = newestParts({ ...filter, costly }, bind).map(
    (where) => `
    (select * from (
      select ${KIND} as kind, t.id, t.status, t.created_at from runs t
      where ${[...OWN, ...conditions, where].join(" and ")} ${fenceOf({ search, costly })}) t
     order by t.created_at, t.id limit ${count}::integer)`,
  );
  const text = `
    select kind, id, status from (${parts.join(" union all ")}) found
    order by created_at, id limit ${count}::integer`;
  return tx.queryOnce<FoundRun>({ text, values, timeoutMs: TIMEOUT_MS });
}

function listText(query: Listing, bind: Bind): string {
  const { sort, limit, after } = query;
  const { type, text } = KEYS[sort];
  const count = bind(limit);
  const behind =
    after === undefined ? "true" : `(k.key, k.id) < (${bind(after.key)}::text::${type}, ${bind(after.id)}::uuid)`;
  const conditions = [...OWN, ...filters(query, bind)];
  const part = (key: string, more: string) => `
    (select k.id, k.key from (
      select t.id, ${key} as key from runs t where ${[...conditions, more].join(" and ")} ${fenceOf(query)}) k
     where ${behind} order by k.key desc, k.id desc limit ${count}::integer + 1)`;
  // Ended ones by index, active ones by their usage.
  const parts =
    sort === "newest"
      ? newestParts(query, bind).map((where) => part("t.created_at", where))
      : eachState(query, bind).map((state) => part(state[sort], state.where));
  return `
    with found as (
      select *, row_number() over (order by key desc, id desc) as n
      from (${parts.join(" union all ")}) parts order by key desc, id desc limit ${count}::integer + 1
    ), page as (select * from found where n <= ${count}::integer)
    select
      coalesce((select string_agg(row_to_json(r)::text, ',' order by p.n)
        from page p cross join lateral (${ROW}) r), '') as items,
      (select json_build_object('key', ${text}, 'id', p.id) from page p
       where p.n = ${count}::integer and (select count(*) from found) > ${count}::integer) as last`;
}

/** SQL: makes the planner read the runs that were found, instead of all runs in the order of the list. */
function fenceOf({ search, costly }: Searched & Costly): string {
  return search?.found === undefined && costly === undefined ? "" : "offset 0";
}

/** Rows whose cost and duration are known in the same way. */
interface State {
  readonly where: string;
  readonly cost: string;
  readonly duration: string;
}

/** The states in each of which an index has the order by cost and that by duration. */
function eachState(filter: RunsFilter & Costly, bind: Bind): readonly State[] {
  const { ended, active } = leastCost(filter, bind);
  const end = { cost: "t.cost_usd", duration: secondsUntil("t.completed_at") };
  return [
    ...ENDED.map((status) => ({ where: `t.status = '${status}' and t.completed_at is not null and ${ended}`, ...end })),
    {
      where: `t.status in ${ACTIVE} and ${active}`,
      cost: COST_SO_FAR,
      duration: secondsUntil("clock_timestamp()"),
    },
    { where: `t.status in ${WAITING} and ${!hasLeast(filter)}`, cost: "0", duration: "-1" },
  ];
}

/**
 * The parts of a list in the order of creation: by kind, and with a minimum cost those that have ended and those in
 * progress, because only the cost of the former is stored.
 */
function newestParts(filter: RunsFilter & Costly, bind: Bind): readonly string[] {
  if (!hasLeast(filter)) return KINDS;
  const { ended, active } = leastCost(filter, bind);
  return [
    ...KINDS.map((kind) => `${kind} and t.completed_at is not null and t.status not in ${ACTIVE} and ${ended}`),
    `t.status in ${ACTIVE} and ${active}`,
  ];
}

function leastCost(filter: RunsFilter & Costly, bind: Bind) {
  if (!hasLeast(filter)) return { ended: "true", active: "true" };
  const least = `>= ${bind(filter.min_cost)}::numeric`;
  const { costly } = filter;
  return {
    ended: costly === undefined ? `t.cost_usd ${least}` : `t.id = any(${bind(costly)}::uuid[])`,
    active: `${COST_SO_FAR} ${least}`,
  };
}

function hasLeast<Filter extends RunsFilter>(filter: Filter): filter is Filter & { readonly min_cost: number } {
  return filter.min_cost !== undefined && filter.min_cost > 0;
}

function filters(query: RunsFilter & Searched, bind: Bind): string[] {
  const { status, agent_id, team_id, source, error_code, tag, search, since, until, feedback } = query;
  const anyOf = (column: string, values: readonly string[] | undefined, type: string) =>
    values === undefined
      ? []
      : // A single value keeps the order of an index.
        [
          values.length === 1
            ? `${column} = ${bind(values[0])}::${type}`
            : `${column} = any(${bind(values)}::${type}[])`,
        ];
  return [
    ...anyOf("t.status", status, "text"),
    ...anyOf("t.agent_id", agent_id, "uuid"),
    ...anyOf("t.team_id", team_id, "uuid"),
    // Golden runs are many, and no work: they are listed when they are asked for.
    ...(source === undefined ? ["t.source_kind <> 'golden'"] : anyOf("t.source_kind", source, "text")),
    ...anyOf("t.error_code", error_code, "text"),
    ...(tag === undefined ? [] : [`t.agent_id in (select a.id from agents a where a.tags && ${bind(tag)}::text[])`]),
    ...(feedback === undefined ? [] : [feedbackText(feedback, bind)]),
    ...(search === undefined ? [] : [searchText(search, bind)]),
    ...(since === undefined ? [] : [`t.created_at >= ${bind(since)}::timestamptz`]),
    ...(until === undefined ? [] : [`t.created_at < ${bind(until)}::timestamptz`]),
  ];
}

/** SQL: whether somebody said something of this kind of the current attempt of `t`. */
function feedbackText(kinds: NonNullable<RunsFilter["feedback"]>, bind: Bind): string {
  const said = kinds.includes("note") ? "f.note <> '' or f.correction <> '' or " : "";
  return `exists (select from feedback f where f.run_id = t.id and f.attempt = t.attempt
    and (${said}f.rating = any(${bind(kinds)}::text[])))`;
}

/** The duration of an attempt until a time; attempts that have not started come last. */
function secondsUntil(end: string): string {
  return `coalesce(extract(epoch from ${end} - t.started_at), -1)`;
}
