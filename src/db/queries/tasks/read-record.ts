import type { Tenant } from "#domain/access/role.ts";
import type { JsonText } from "#lib/text/json-text.ts";
import type { Database, Statement, Transaction } from "../../database.ts";
import type { Listable } from "./records.ts";

/** Records that are read by id: the resources of lists, and a run with its messages. */
export type Readable = Exclude<Listable, "team_memory"> | "run-with-messages";

const READ: Readonly<Record<Readable, Statement>> = {
  agent: readOf("agent", "agent_records"),
  task: readOf("task", "task_records"),
  team: readOf("team", "team_records"),
  run: readOf("team-run", "team_run_records"),
  "run-with-messages": readOf("team-run-details", "team_run_details"),
  hook: readOf("webhook-subscription", "webhook_subscription_records"),
  voice_profile: readOf("voice-profile", "voice_profile_records"),
  budget: readOf("budget", "budget_records"),
  output_template: readOf("output-template", "output_template_records"),
  remote_agent: readOf("remote-agent", "remote_agent_records"),
  mcp_server: readOf("mcp-server", "mcp_server_records"),
  custom_tool: readOf("custom-tool", "custom_tool_records"),
  file: readOf("file", "file_records"),
  schedule: readOf("schedule", "schedule_records"),
  trigger: readOf("trigger", "trigger_records"),
  knowledge_base: readOf("knowledge-base", "knowledge_base_records"),
  document: readOf("document", "knowledge_document_records"),
  output_route: readOf("output-route", "output_route_records"),
  delivery: readOf("delivery", "delivery_details"),
  trello_channel: readOf("trello-channel", "trello_channel_records"),
};

function readOf(name: string, records: string): Statement {
  return { name: `read-${name}`, text: `select to_json(r)::text as record from ${records} r where id = $1` };
}

/** Reads one record as JSON; undefined when the workspace has none with this id. */
export async function readRecord(
  db: Database,
  tenant: Tenant,
  of: Readable,
  id: string,
): Promise<JsonText | undefined> {
  const [row] = await db.queryInWorkspace<{ record: JsonText }>(tenant, READ[of], [id]);
  return row?.record;
}

/** The same in a transaction, which sees its own changes. */
export async function readRecordIn(tx: Transaction, of: Readable, id: string): Promise<JsonText | undefined> {
  const [row] = await tx.query<{ record: JsonText }>(READ[of], [id]);
  return row?.record;
}
