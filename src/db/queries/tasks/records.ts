import type { JsonText } from "#lib/text/json-text.ts";
import type { Tenant } from "#domain/access/role.ts";
import type { PageStart, RenderedPage } from "../row-pages.ts";
import { conditionsOf } from "./list-conditions.ts";
import type { FieldFilters } from "./list-conditions.ts";
import { Statement, statement } from "../../statement.ts";
import type { StatementOf } from "../../statement.ts";
import type { WorkspaceDatabase } from "../../database.ts";

/** The resources with a list, newest first. */
export type Listable =
  | "agent"
  | "task"
  | "team"
  | "run"
  | "hook"
  | "voice_profile"
  | "output_template"
  | "custom_tool"
  | "file"
  | "team_memory"
  | "schedule"
  | "trigger"
  | "budget"
  | "alert"
  | "remote_agent"
  | "mcp_server"
  | "knowledge_base"
  | "document"
  | "output_route"
  | "delivery"
  | "trello_channel";

/** The rows of a list: all, or those that match one filter. */
export interface ListFilter {
  /** Only tasks with this status. */
  readonly status?: string | undefined;
  /** Only runs, or memories, of this team. */
  readonly teamId?: string | undefined;
  /** The calls of this tool, instead of the tools. */
  readonly callsOfTool?: string | undefined;
  /** The log of this schedule, instead of the schedules. */
  readonly scheduleId?: string | undefined;
  /** The log of this trigger, instead of the triggers. */
  readonly triggerId?: string | undefined;
  /** Only budgets of this workspace, agent, team, task or team run. */
  readonly targetId?: string | undefined;
  /** Only rows that match all of these; webhook subscriptions with the paused ones. */
  readonly fields?: FieldFilters | undefined;
  /** Only deliveries that match all of these. */
  readonly deliveries?: DeliveryFilter | undefined;
}

/** A filter of deliveries; absent fields do not apply. */
export interface DeliveryFilter {
  readonly status?: string | undefined;
  readonly event?: string | undefined;
  /** Of this output route or webhook subscription. */
  readonly targetId?: string | undefined;
  readonly taskId?: string | undefined;
  /** Of this team run. */
  readonly runId?: string | undefined;
  /** Created at this time or later. */
  readonly since?: string | undefined;
}

const IN_WORKSPACE = "k.workspace_id = $1";
const OF_TEAM = "k.team_id = $1";

const LIST: Readonly<Record<Listable, StatementOf<ListRow>>> = {
  agent: statement({ name: "list-agents", text: listOf("agents", "agent_records", IN_WORKSPACE) }),
  task: statement({ name: "list-tasks", text: listOf("tasks", "task_records", IN_WORKSPACE, withPreview("result")) }),
  team: statement({ name: "list-teams", text: listOf("teams", "team_records", IN_WORKSPACE) }),
  run: statement({
    name: "list-team-runs",
    text: listOf("team_runs", "team_run_records", IN_WORKSPACE, withPreview("output")),
  }),
  hook: statement({
    name: "list-webhook-subscriptions",
    text: listOf("webhook_subscriptions", "webhook_subscription_records", `${IN_WORKSPACE} and k.is_active`),
  }),
  voice_profile: statement({
    name: "list-voice-profiles",
    text: listOf("voice_profiles", "voice_profile_records", IN_WORKSPACE),
  }),
  // Budgets of single runs are read with their run.
  budget: statement({
    name: "list-budgets",
    text: listOf("budgets", "budget_records", `${IN_WORKSPACE} and k.scope <> 'run'`),
  }),
  alert: statement({ name: "list-alerts", text: listOf("alerts", "alert_records", IN_WORKSPACE) }),
  output_template: statement({
    name: "list-output-templates",
    text: listOf("output_templates", "output_template_records", IN_WORKSPACE),
  }),
  remote_agent: statement({
    name: "list-remote-agents",
    text: listOf("remote_agents", "remote_agent_records", IN_WORKSPACE),
  }),
  mcp_server: statement({ name: "list-mcp-servers", text: listOf("mcp_servers", "mcp_server_records", IN_WORKSPACE) }),
  custom_tool: statement({
    name: "list-custom-tools",
    text: listOf("custom_tools", "custom_tool_records", IN_WORKSPACE),
  }),
  file: statement({ name: "list-files", text: listOf("files", "file_records", IN_WORKSPACE) }),
  // Always restricted to one team.
  team_memory: statement({ name: "list-team-memories", text: listOf("team_memories", "team_memory_records", OF_TEAM) }),
  schedule: statement({ name: "list-schedules", text: listOf("schedules", "schedule_records", IN_WORKSPACE) }),
  trigger: statement({ name: "list-triggers", text: listOf("triggers", "trigger_records", IN_WORKSPACE) }),
  knowledge_base: statement({
    name: "list-knowledge-bases",
    text: listOf("knowledge_bases", "knowledge_base_records", IN_WORKSPACE),
  }),
  document: statement({
    name: "list-documents",
    text: listOf("knowledge_documents", "knowledge_document_records", IN_WORKSPACE),
  }),
  output_route: statement({
    name: "list-output-routes",
    text: listOf("output_routes", "output_route_records", IN_WORKSPACE),
  }),
  trello_channel: statement({
    name: "list-trello-channels",
    text: listOf("trello_channels", "trello_channel_records", IN_WORKSPACE),
  }),
  delivery: statement({ name: "list-deliveries", text: listOf("deliveries", "delivery_records", IN_WORKSPACE) }),
};
const LIST_FILTERED_DELIVERIES = statement({
  name: "list-filtered-deliveries",
  text: listOf(
    "deliveries",
    "delivery_records",
    `${IN_WORKSPACE} and ($5::text is null or k.status = $5) and ($6::text is null or k.event = $6)
      and ($7::uuid is null or k.target_id = $7) and ($8::uuid is null or k.task_id = $8)
      and ($9::uuid is null or k.team_run_id = $9) and ($10::timestamptz is null or k.created_at >= $10)`,
  ),
});
/** Separate statements, so that each is planned for its index; row security restricts them to the workspace. */
const LIST_BY_STATUS = statement({
  name: "list-tasks-by-status",
  text: listOf("tasks", "task_records", `${IN_WORKSPACE} and k.status = $5`, withPreview("result")),
});
const LIST_BY_TEAM = statement({
  name: "list-team-runs-by-team",
  text: listOf("team_runs", "team_run_records", OF_TEAM, withPreview("output")),
});

const LIST_BY_TARGET = statement({
  name: "list-budgets-by-target",
  text: listOf("budgets", "budget_records", "k.target_id = $1"),
});
const LIST_FIRES = statement({
  name: "list-schedule-fires",
  text: listOf("schedule_fires", "schedule_fire_records", "k.schedule_id = $1"),
});
const LIST_DELIVERIES = statement({
  name: "list-trigger-deliveries",
  text: listOf("trigger_deliveries", "trigger_delivery_records", "k.trigger_id = $1"),
});

const LIST_CALLS = statement({
  name: "list-custom-tool-calls",
  text: listOf("custom_tool_calls", "custom_tool_call_records", "k.tool_id = $1"),
});

// The page's ids come from the index; only those rows are rendered, and returned as one text. One more row is read to
// learn whether another page follows, and whether it begins at the same time.
function listOf(table: string, records: string, condition: string, record = "to_json(r)"): string {
  return `
    with page as (
      select k.id, k.created_at, row_number() over (order by k.created_at desc, k.id desc) as n
      from ${table} k
      where ${condition}
        and ($2::timestamptz is null or (k.created_at, k.id) < ($2::timestamptz,
          coalesce($3::uuid, '00000000-0000-0000-0000-000000000000')))
      order by k.created_at desc, k.id desc limit $4::integer + 1
    )
    select
      coalesce((
        select string_agg((${record})::text, ',' order by p.n)
        from page p join ${records} r on r.id = p.id where p.n <= $4), '') as items,
      (select iso(created_at) from page where n = $4) as "lastTime",
      (select id from page where n = $4) as "lastId",
      (select iso(created_at) from page where n = $4 + 1) as "nextTime"`;
}

/** Renders records with a text that may be long: of one above 64 KiB, a list has the beginning, and says so. */
function withPreview(column: "result" | "output"): string {
  const preview = `jsonb_build_object('${column}', left(r.${column}, 4096), '${column}_truncated', true)`;
  return `case when coalesce(octet_length(r.${column}), 0) <= 65536 then to_json(r)
    else to_json(jsonb_populate_record(r, ${preview})) end`;
}

interface ListRow {
  readonly items: JsonText;
  readonly lastTime: string | null;
  readonly lastId: string | null;
  readonly nextTime: string | null;
}

/**
 * Reads one page, newest first. A page ends at a time; only if the next row has the same time, `next` also contains an
 * id. So no row is lost or repeated, regardless of concurrent inserts.
 */
export async function listRecords(
  db: WorkspaceDatabase,
  page: ListFilter & {
    readonly of: Listable;
    readonly limit: number;
    readonly after?: PageStart | undefined;
  },
): Promise<RenderedPage> {
  const rest = [page.after?.createdAt ?? null, page.after?.id ?? null, page.limit];
  const [row] = await db.query<ListRow>(...filtered(db.who, page, rest));
  if (row === undefined) throw new Error("A list query gives one row.");
  const { items, lastTime, lastId, nextTime } = row;
  if (nextTime === null || lastTime === null || lastId === null) return { items, next: null };
  return { items, next: { createdAt: lastTime, ...(nextTime === lastTime && { id: lastId }) } };
}

function filtered(
  { workspaceId }: Tenant,
  {
    of,
    status,
    teamId,
    targetId,
    callsOfTool,
    scheduleId,
    triggerId,
    fields,
    deliveries,
  }: ListFilter & { readonly of: Listable },
  rest: readonly unknown[],
): [StatementOf<ListRow>, readonly unknown[]] {
  if (status !== undefined) return [LIST_BY_STATUS, [workspaceId, ...rest, status]];
  if (teamId !== undefined && of === "team_memory") return [LIST[of], [teamId, ...rest]];
  if (teamId !== undefined) return [LIST_BY_TEAM, [teamId, ...rest]];
  if (callsOfTool !== undefined) return [LIST_CALLS, [callsOfTool, ...rest]];
  if (scheduleId !== undefined) return [LIST_FIRES, [scheduleId, ...rest]];
  if (triggerId !== undefined) return [LIST_DELIVERIES, [triggerId, ...rest]];
  if (targetId !== undefined) return [LIST_BY_TARGET, [targetId, ...rest]];
  if (fields !== undefined) return listByFields({ of, workspaceId, fields }, rest);
  if (deliveries !== undefined) {
    const { status: state, event, targetId: target, taskId: task, runId: run, since } = deliveries;
    const wanted = [state, event, target, task, run, since].map((value) => value ?? null);
    return [LIST_FILTERED_DELIVERIES, [workspaceId, ...rest, ...wanted]];
  }
  return [LIST[of], [workspaceId, ...rest]];
}

/** The tables and views of lists with field filters. */
const FILTERABLE = {
  agent: { table: "agents", records: "agent_records" },
  team: { table: "teams", records: "team_records" },
  document: { table: "knowledge_documents", records: "knowledge_document_records" },
  file: { table: "files", records: "file_records" },
  schedule: { table: "schedules", records: "schedule_records" },
  trigger: { table: "triggers", records: "trigger_records" },
  alert: { table: "alerts", records: "alert_records" },
  custom_tool: { table: "custom_tools", records: "custom_tool_records" },
  output_route: { table: "output_routes", records: "output_route_records" },
  hook: { table: "webhook_subscriptions", records: "webhook_subscription_records" },
} as const;

function listByFields(
  list: { readonly of: Listable; readonly workspaceId: string; readonly fields: FieldFilters },
  rest: readonly unknown[],
): [StatementOf<ListRow>, readonly unknown[]] {
  const { of, workspaceId, fields } = list;
  if (!isFilterable(of)) throw new TypeError(`${of} has no filters by fields.`);
  const { table, records } = FILTERABLE[of];
  const { scope, conditions, values, name } = conditionsOf(fields, workspaceId);
  const text = listOf(table, records, [`${scope.column} = $1`, ...conditions].join(" and "));
  return [new Statement<ListRow>({ name: `list-${of}${name}`, text }), [scope.id, ...rest, ...values]];
}

function isFilterable(of: Listable): of is keyof typeof FILTERABLE {
  return of in FILTERABLE;
}
