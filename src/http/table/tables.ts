import type { z } from "zod";
import { outputTemplate } from "#domain/agents/output-template.ts";
import { voiceProfile } from "#domain/agents/voice.ts";
import { unknownTable } from "./errors.ts";

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
      fallback_models: "text[]",
      provider: "text",
      system_prompt: "text",
      temperature: "double precision",
      max_tokens: "integer",
      reasoning: "jsonb",
      output_schema: "jsonb",
      prompt_caching: "boolean",
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
      needs_review: "boolean",
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
      finish_reason: "text",
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
      cached_tokens: "integer",
      cache_write_tokens: "integer",
      reasoning_tokens: "integer",
      estimated_cost_usd: "numeric",
      billing_model: "text",
      created_at: "timestamptz",
      agent_version: "integer",
      turn: "text",
      interrupted: "boolean",
      worst_case_tokens: "integer",
      worst_case_cost_usd: "numeric",
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
      finish_reason: "text",
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
    always: { name: "text", ...texts(voiceProfile) },
    never: CHANGED,
  }),
  table("output_templates", {
    create: OWN,
    always: { name: "text", ...texts(outputTemplate) },
    never: CHANGED,
  }),
  table("output_routes", {
    create: { ...OWN, kind: "text", type: "text" },
    always: {
      name: "text",
      events: "text[]",
      is_active: "boolean",
      config: "jsonb",
      allowed_user_ids: "text[]",
      members: "jsonb",
      agent_id: "uuid",
      messages_per_minute: "integer",
      retry_delays: "integer[]",
    },
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

/** Finds the table of a path. @throws TableError PGRST205. */
export function findTable(name: string): Table {
  const found = TABLES.get(name);
  if (found !== undefined) return found;
  throw unknownTable(name, [...TABLES.keys()]);
}

function table(name: string, groups: Readonly<Partial<Record<Column["write"], Columns>>>): Table {
  const columns = (["create", "always", "never"] as const).flatMap((write) =>
    Object.entries(groups[write] ?? {}).map(([name, type]): Column => ({ name, type, write })),
  );
  return { name, columns: new Map(columns.map((column) => [column.name, column])) };
}

/** Columns for the fields of a schema in which all are text. */
function texts({ shape }: z.ZodObject<Readonly<Record<string, z.ZodType<string | undefined>>>>): Columns {
  return Object.fromEntries(Object.keys(shape).map((field) => [field, "text"] as const));
}
