import { inPath, just, open, resource, without } from "../probe-shapes.ts";
import type { Probe, Probes } from "../probe-shapes.ts";

const AGENT = { name: "X", model: "demo" };
const TEAM = { name: "X", mode: "pipeline" };
const FORM = `--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nA\r\n--x--\r\n`;

/** What is asked of the routes of the envelope API and of files. */
export const ENVELOPE_PROBES: Readonly<Record<string, Probes>> = {
  ...resource("/functions/v1/api-agents", { thing: "agents", create: AGENT, change: { name: "X" } }),
  ...resource("/functions/v1/api-tasks", { thing: "tasks", create: { title: "X" }, change: { title: "X" } }),
  ...resource("/functions/v1/api-teams", { thing: "teams", create: TEAM, change: { name: "X" } }),
  ...without("PATCH", resource("/functions/v1/api-hooks", { thing: "webhook_subscriptions", create: {} })),
  ...without(
    "DELETE",
    resource("/functions/v1/api-runs", { thing: "team_runs", create: {}, change: { status: "cancelled" } }),
  ),
  "POST /functions/v1/api-agents": {
    plain: [just(AGENT)],
    naming: [
      ({ voice_profiles: id }) => ({ body: { ...AGENT, voice_profile_id: id } }),
      ({ output_templates: id }) => ({ body: { ...AGENT, output_template_id: id } }),
      ({ custom_tools: id }) => ({ body: { ...AGENT, tools: [`custom:${id}`] } }),
    ],
  },
  "PATCH /functions/v1/api-agents": {
    naming: [
      ({ agents: id }) => ({ at: `/functions/v1/api-agents?id=${id}`, body: { name: "X" } }),
      ({ voice_profiles: id }, own) => ({
        at: `/functions/v1/api-agents?id=${own["agents"]}`,
        body: { voice_profile_id: id },
      }),
      ({ output_templates: id }, own) => ({
        at: `/functions/v1/api-agents?id=${own["agents"]}`,
        body: { output_template_id: id },
      }),
      ({ custom_tools: id }, own) => ({
        at: `/functions/v1/api-agents?id=${own["agents"]}`,
        body: { config: { requires_approval: [`custom:${id}`] } },
      }),
    ],
  },
  "POST /functions/v1/api-tasks": {
    plain: [just({ title: "X" })],
    naming: [
      ({ agents: id }) => ({ body: { title: "X", assigned_agent_id: id } }),
      ({ teams: id }) => ({ body: { title: "X", assigned_team_id: id } }),
      ({ files: id }) => ({ body: { title: "X", attachments: [id] } }),
    ],
  },
  "PATCH /functions/v1/api-tasks": {
    naming: [
      ({ tasks: id }) => ({ at: `/functions/v1/api-tasks?id=${id}`, body: { title: "X" } }),
      ({ tasks: id }) => ({ at: `/functions/v1/api-tasks?id=${id}`, body: { status: "cancelled" } }),
      ({ agents: id }, own) => ({
        at: `/functions/v1/api-tasks?id=${own["pendingTask"]}`,
        body: { assigned_agent_id: id },
      }),
      ({ teams: id }, own) => ({
        at: `/functions/v1/api-tasks?id=${own["pendingTask"]}`,
        body: { assigned_team_id: id },
      }),
    ],
  },
  "POST /functions/v1/api-teams": {
    plain: [just(TEAM)],
    naming: [({ agents: id }) => ({ body: { ...TEAM, config: { steps: [{ agent_id: id }] } } })],
  },
  "PATCH /functions/v1/api-teams": {
    naming: [
      ({ teams: id }) => ({ at: `/functions/v1/api-teams?id=${id}`, body: { name: "X" } }),
      ({ agents: id }, own) => ({
        at: `/functions/v1/api-teams?id=${own["teams"]}`,
        body: { config: { steps: [{ agent_id: id }] } },
      }),
    ],
  },
  "POST /functions/v1/api-runs": {
    naming: [
      ({ teams: id }) => ({ body: { team_id: id, input_task: "X" } }),
      ({ files: id }, own) => ({ body: { team_id: own["teams"], input_task: "X", attachments: [id] } }),
    ],
  },
  "POST /functions/v1/api-hooks": {
    plain: [just({ target_url: "https://example.com/", event: "task_failed" })],
    naming: ["agent", "team"].map((one): Probe => (named) => ({
      body: { target_url: "https://example.com/", event: "task_failed", [`${one}_id`]: named[`${one}s`] },
    })),
  },
  "GET /functions/v1/api-me": open,
  "GET /files": {
    plain: [just()],
    naming: [
      ({ tasks: id }) => ({ at: `/files?task_id=${id}` }),
      ({ team_runs: id }) => ({ at: `/files?run_id=${id}` }),
    ],
  },
  "POST /files": {
    plain: [() => ({ body: FORM, headers: { "content-type": "multipart/form-data; boundary=x" } })],
  },
  "GET /files/{id}": inPath("files"),
  "GET /files/{id}/preview": inPath("files"),
  "DELETE /files/{id}": inPath("files"),
};
