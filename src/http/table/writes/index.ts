import { agentsWriter } from "./agents.ts";
import { rowsWriter } from "./rows.ts";
import { tasksWriter } from "./tasks.ts";
import { teamRunsWriter } from "./team-runs.ts";
import { teamsWriter } from "./teams.ts";
import { webhookSubscriptionsWriter } from "./webhook-subscriptions.ts";
import type { Writer } from "./writer.ts";

/** Who writes which table; the others are only read. */
export const WRITERS: ReadonlyMap<string, Writer> = new Map([
  ["agents", agentsWriter],
  ["tasks", tasksWriter],
  ["teams", teamsWriter],
  ["team_runs", teamRunsWriter],
  ["webhook_subscriptions", webhookSubscriptionsWriter],
  ["voice_profiles", rowsWriter("voice_profiles")],
  ["output_templates", rowsWriter("output_templates")],
]);
