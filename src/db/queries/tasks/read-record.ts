import type { JsonText } from "#lib/text/json-text.ts";
import type { Transaction, WorkspaceDatabase } from "../../database.ts";
import { statement } from "../../statement.ts";
import type { StatementOf } from "../../statement.ts";
import type { Listable } from "./records.ts";

/** Records that are read by id: the resources of lists, a run with its messages, and a task as it was created. */
export type Readable = Exclude<Listable, "team_memory"> | "run-with-messages" | "created-task";

const READ: Readonly<Record<Readable, StatementOf<{ record: JsonText }>>> = {
  agent: statement({ name: "read-agent", text: readFrom("agent_records") }),
  task: statement({ name: "read-task", text: readFrom("task_records") }),
  // As it was dispatched: the transaction that creates a task may have started its run as well.
  "created-task": statement({
    name: "read-created-task",
    text: `
      select case when r.status <> 'running' then to_json(r) else to_json(jsonb_populate_record(r,
        '{"status": "dispatched", "started_at": null, "agent_version": null}')) end::text as record
      from task_records r where id = $1`,
  }),
  team: statement({ name: "read-team", text: readFrom("team_records") }),
  run: statement({ name: "read-team-run", text: readFrom("team_run_records") }),
  "run-with-messages": statement({ name: "read-team-run-details", text: readFrom("team_run_details") }),
  hook: statement({ name: "read-webhook-subscription", text: readFrom("webhook_subscription_records") }),
  voice_profile: statement({ name: "read-voice-profile", text: readFrom("voice_profile_records") }),
  budget: statement({ name: "read-budget", text: readFrom("budget_records") }),
  alert: statement({ name: "read-alert", text: readFrom("alert_records") }),
  output_template: statement({ name: "read-output-template", text: readFrom("output_template_records") }),
  remote_agent: statement({ name: "read-remote-agent", text: readFrom("remote_agent_records") }),
  mcp_server: statement({ name: "read-mcp-server", text: readFrom("mcp_server_records") }),
  custom_tool: statement({ name: "read-custom-tool", text: readFrom("custom_tool_records") }),
  file: statement({ name: "read-file", text: readFrom("file_records") }),
  schedule: statement({ name: "read-schedule", text: readFrom("schedule_records") }),
  trigger: statement({ name: "read-trigger", text: readFrom("trigger_records") }),
  knowledge_base: statement({ name: "read-knowledge-base", text: readFrom("knowledge_base_records") }),
  document: statement({ name: "read-document", text: readFrom("knowledge_document_records") }),
  output_route: statement({ name: "read-output-route", text: readFrom("output_route_records") }),
  delivery: statement({ name: "read-delivery", text: readFrom("delivery_details") }),
  trello_channel: statement({ name: "read-trello-channel", text: readFrom("trello_channel_records") }),
};

function readFrom(records: string): string {
  return `select to_json(r)::text as record from ${records} r where id = $1`;
}

/** Reads one record as JSON, with the changes of an open transaction; undefined when the workspace has none with this id. */
export async function readRecord(
  on: WorkspaceDatabase | Transaction,
  of: Readable,
  id: string,
): Promise<JsonText | undefined> {
  const [row] = await on.query<{ record: JsonText }>(READ[of], [id]);
  return row?.record;
}
