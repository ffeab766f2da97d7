import { TableError } from "./errors.ts";

/** The types of columns, by PostgreSQL's names. */
export type ColumnType =
  | "uuid"
  | "text"
  | "integer"
  | "double precision"
  | "numeric"
  | "boolean"
  | "timestamptz"
  | "jsonb"
  | "text[]"
  | "uuid[]"
  | "integer[]";

/** A column of a table. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** Whether a body may contain it: always, only in a new row, or never. */
  readonly write: "always" | "create" | "never";
}

/** A table that a path can name. */
export interface Table {
  readonly name: string;
  readonly columns: ReadonlyMap<string, Column>;
}

/** A reference from a column of one table to the id of another. */
export interface ForeignKey {
  readonly name: string;
  readonly table: string;
  readonly column: string;
  readonly references: string;
  /** Whether the referenced table does not embed this one, because no index finds the rows of a reference. */
  readonly isOneWay?: true;
}

type Columns = Readonly<Record<string, ColumnType>>;

/** Columns that every table starts with. The service assigns ids: a body may contain only those of existing rows. */
const OWN: Columns = { id: "uuid", workspace_id: "uuid" };
const AUTHORED: Columns = { created_by: "uuid", created_at: "timestamptz" };
const CHANGED: Columns = { ...AUTHORED, updated_at: "timestamptz" };

const definitions: readonly Table[] = [
  table("agents", {
    create: OWN,
    always: {
      name: "text",
      description: "text",
      model: "text",
      fallback_model: "text",
      provider: "text",
      system_prompt: "text",
      temperature: "double precision",
      max_tokens: "integer",
      tags: "text[]",
      tools: "text[]",
      status: "text",
      voice_profile: "jsonb",
      voice_profile_id: "uuid",
      output_template: "jsonb",
      output_template_id: "uuid",
      knowledge_base_ids: "uuid[]",
      output_route_ids: "uuid[]",
      is_marketplace: "boolean",
      marketplace_tags: "text[]",
      is_mcp_published: "boolean",
      is_a2a_published: "boolean",
      config: "jsonb",
    },
    never: { install_count: "integer", ...CHANGED },
  }),
  table("tasks", {
    create: OWN,
    always: {
      title: "text",
      description: "text",
      priority: "text",
      status: "text",
      agent_id: "uuid",
      assigned_team_id: "uuid",
      scheduled_for: "timestamptz",
      metadata: "jsonb",
    },
    never: {
      team_run_id: "uuid",
      result: "text",
      error: "text",
      interaction: "jsonb",
      attempt: "integer",
      ...CHANGED,
      dispatched_at: "timestamptz",
      started_at: "timestamptz",
      completed_at: "timestamptz",
    },
  }),
  table("usage_records", {
    never: {
      ...OWN,
      task_id: "uuid",
      agent_id: "uuid",
      team_run_id: "uuid",
      attempt: "integer",
      step: "integer",
      provider: "text",
      model: "text",
      prompt_tokens: "integer",
      completion_tokens: "integer",
      estimated_cost_usd: "numeric",
      billing_model: "text",
      created_at: "timestamptz",
      agent_version: "integer",
      turn: "text",
    },
  }),
  table("teams", {
    create: OWN,
    always: {
      name: "text",
      description: "text",
      mode: "text",
      config: "jsonb",
      output_route_ids: "uuid[]",
      is_marketplace: "boolean",
    },
    never: CHANGED,
  }),
  table("team_members", {
    never: {
      ...OWN,
      team_id: "uuid",
      agent_id: "uuid",
      role: "text",
      position: "integer",
      config: "jsonb",
      created_at: "timestamptz",
    },
  }),
  table("team_runs", {
    create: { ...OWN, team_id: "uuid", input_task: "text" },
    always: { status: "text" },
    never: {
      task_id: "uuid",
      output: "text",
      error: "text",
      interaction: "jsonb",
      current_step_idx: "integer",
      attempt: "integer",
      ...CHANGED,
      started_at: "timestamptz",
      completed_at: "timestamptz",
    },
  }),
  table("team_messages", {
    never: {
      ...OWN,
      run_id: "uuid",
      sender_agent_id: "uuid",
      receiver_agent_id: "uuid",
      message_type: "text",
      content: "text",
      metadata: "jsonb",
      step_idx: "integer",
      tokens_used: "integer",
      created_at: "timestamptz",
    },
  }),
  table("team_delegations", {
    never: {
      ...OWN,
      run_id: "uuid",
      key: "text",
      agent_id: "uuid",
      instruction: "text",
      status: "text",
      result: "text",
      error: "text",
      score: "double precision",
      revisions: "integer",
      tokens_used: "integer",
      created_at: "timestamptz",
      updated_at: "timestamptz",
    },
  }),
  table("voice_profiles", {
    create: OWN,
    always: { name: "text", tone: "text", custom_instructions: "text", output_format_hints: "text" },
    never: CHANGED,
  }),
  table("output_templates", {
    create: OWN,
    always: { name: "text", type: "text", body: "text" },
    never: CHANGED,
  }),
  table("output_routes", {
    create: { ...OWN, type: "text" },
    always: { name: "text", events: "text[]", is_active: "boolean", config: "jsonb", retry_delays: "integer[]" },
    never: {
      health: "text",
      failures_in_row: "integer",
      last_success_at: "timestamptz",
      last_failure_at: "timestamptz",
      ...CHANGED,
    },
  }),
  table("delivery_logs", {
    never: {
      ...OWN,
      delivery_id: "uuid",
      route_id: "uuid",
      subscription_id: "uuid",
      task_id: "uuid",
      team_run_id: "uuid",
      event: "text",
      attempt: "integer",
      status: "text",
      http_code: "integer",
      error_message: "text",
      duration_ms: "integer",
      created_at: "timestamptz",
    },
  }),
  table("remote_agents", {
    never: {
      ...OWN,
      name: "text",
      description: "text",
      base_url: "text",
      version: "text",
      protocol_version: "text",
      skills: "jsonb",
      is_enabled: "boolean",
      card_fetched_at: "timestamptz",
      card_error: "text",
      ...CHANGED,
    },
  }),
  table("webhook_subscriptions", {
    create: { ...OWN, target_url: "text", event: "text", agent_id: "uuid", team_id: "uuid" },
    never: { is_active: "boolean", ...AUTHORED },
  }),
];

/** Every table of the API by name: the only source of identifiers in its SQL. */
export const TABLES: ReadonlyMap<string, Table> = new Map(definitions.map((each) => [each.name, each]));

/** The possible embeddings: a reference works from both ends, unless it is one-way. */
export const FOREIGN_KEYS: readonly ForeignKey[] = [
  reference("agents", "voice_profile_id", "voice_profiles", "agents_voice_profile_fkey"),
  reference("agents", "output_template_id", "output_templates", "agents_output_template_fkey"),
  reference("tasks", "agent_id", "agents", "tasks_agent_fkey"),
  reference("tasks", "assigned_team_id", "teams", "tasks_team_fkey"),
  reference("tasks", "team_run_id", "team_runs", "tasks_team_run_fkey"),
  reference("usage_records", "task_id", "tasks", "usage_records_task_fkey"),
  reference("usage_records", "agent_id", "agents", "usage_records_agent_fkey"),
  reference("usage_records", "team_run_id", "team_runs", "usage_records_team_run_fkey"),
  reference("team_members", "team_id", "teams", "team_members_team_fkey"),
  reference("team_members", "agent_id", "agents", "team_members_agent_fkey"),
  reference("team_runs", "team_id", "teams", "team_runs_team_fkey"),
  reference("team_runs", "task_id", "tasks", "team_runs_task_fkey"),
  reference("team_messages", "run_id", "team_runs", "team_messages_run_fkey"),
  reference("team_messages", "sender_agent_id", "agents", "team_messages_sender_agent_fkey"),
  reference("team_messages", "receiver_agent_id", "agents", "team_messages_receiver_agent_fkey"),
  reference("team_delegations", "run_id", "team_runs", "team_delegations_run_fkey"),
  reference("team_delegations", "agent_id", "agents", "team_delegations_agent_fkey"),
  reference("webhook_subscriptions", "agent_id", "agents", "webhook_subscriptions_agent_fkey"),
  reference("webhook_subscriptions", "team_id", "teams", "webhook_subscriptions_team_fkey"),
  // A log outlives what it names; then nothing is embedded.
  ...[
    reference("delivery_logs", "route_id", "output_routes", "delivery_logs_route_fkey"),
    reference("delivery_logs", "subscription_id", "webhook_subscriptions", "delivery_logs_subscription_fkey"),
    reference("delivery_logs", "task_id", "tasks", "delivery_logs_task_fkey"),
    reference("delivery_logs", "team_run_id", "team_runs", "delivery_logs_team_run_fkey"),
  ].map((key): ForeignKey => ({ ...key, isOneWay: true })),
];

/** The columns that hold lists of ids of another table; nothing is embedded by them. */
export const LIST_REFERENCES: readonly ForeignKey[] = [
  reference("agents", "knowledge_base_ids", "knowledge_bases", "agents_knowledge_base_ids_fkey"),
  reference("agents", "output_route_ids", "output_routes", "agents_output_route_ids_fkey"),
  reference("teams", "output_route_ids", "output_routes", "teams_output_route_ids_fkey"),
];

/** The tables that only connect two others, which can therefore be embedded in each other. */
export const JUNCTIONS: readonly string[] = ["team_members"];

/** Finds the table of a path. @throws TableError PGRST205. */
export function findTable(name: string): Table {
  const found = TABLES.get(name);
  if (found !== undefined) return found;
  throw new TableError(404, "PGRST205", { message: `Could not find the table 'public.${name}' in the schema cache` });
}

function table(name: string, groups: Readonly<Partial<Record<Column["write"], Columns>>>): Table {
  const columns = (["create", "always", "never"] as const).flatMap((write) =>
    Object.entries(groups[write] ?? {}).map(([name, type]): Column => ({ name, type, write })),
  );
  return { name, columns: new Map(columns.map((column) => [column.name, column])) };
}

function reference(table: string, column: string, references: string, name: string): ForeignKey {
  return { name, table, column, references };
}
