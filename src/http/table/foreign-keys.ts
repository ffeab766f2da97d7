/** A reference from a column of one table to the id of another. */
export interface ForeignKey {
  readonly name: string;
  readonly table: string;
  readonly column: string;
  readonly references: string;
  /** Whether the referenced table does not embed this one, because no index finds the rows of a reference. */
  readonly isOneWay?: true;
}

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

function reference(table: string, column: string, references: string, name: string): ForeignKey {
  return { name, table, column, references };
}
