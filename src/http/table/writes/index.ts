import { savedTemplateCreate, savedTemplatePatch } from "#domain/agents/output-template.ts";
import { savedVoiceCreate, savedVoicePatch } from "#domain/agents/voice.ts";
import { agentsWriter } from "./agents.ts";
import { outputRoutesWriter } from "./output-routes.ts";
import { savedWriter } from "./saved.ts";
import { tasksWriter } from "./tasks.ts";
import { teamRunsWriter } from "./team-runs.ts";
import { teamsWriter } from "./teams.ts";
import { webhookSubscriptionsWriter } from "./webhook-subscriptions.ts";
import type { Writer } from "./writer.ts";

/** The writer of each table; the other tables are read-only. */
export const WRITERS: ReadonlyMap<string, Writer> = new Map([
  ["agents", agentsWriter],
  ["tasks", tasksWriter],
  ["teams", teamsWriter],
  ["team_runs", teamRunsWriter],
  ["output_routes", outputRoutesWriter],
  ["webhook_subscriptions", webhookSubscriptionsWriter],
  ["voice_profiles", savedWriter("voice_profile", { create: savedVoiceCreate, patch: savedVoicePatch })],
  ["output_templates", savedWriter("output_template", { create: savedTemplateCreate, patch: savedTemplatePatch })],
]);
