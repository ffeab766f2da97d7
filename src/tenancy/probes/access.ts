import { RESOURCES_FORMAT, RESOURCES_VERSION } from "#domain/resources/resource.ts";
import { inPath, just, open, scratchEmail } from "../probe-shapes.ts";
import type { Probes } from "../probe-shapes.ts";

const SCHEDULE = { resource: "schedule", name: "X", cron: "0 3 * * *", title: "X" } as const;

function description(documents: readonly object[]): object {
  return { format: RESOURCES_FORMAT, version: RESOURCES_VERSION, resources: ["schedule"], documents };
}

/** What is asked of the routes of keys, people and workspaces. */
export const ACCESS_PROBES: Readonly<Record<string, Probes>> = {
  "GET /console/api/keys": open,
  "POST /console/api/keys": { plain: [just({ label: "X", kind: "mcp" })] },
  "PATCH /console/api/keys/{id}": inPath("api_keys", { label: "X" }),
  "DELETE /console/api/keys/{id}": inPath("api_keys"),
  "POST /console/api/keys/{id}/rotate": inPath("api_keys", {}),
  "GET /console/api/apps": open,
  "DELETE /console/api/apps/{id}": inPath("api_keys"),
  "GET /console/api/provider-keys": open,
  "PUT /console/api/provider-keys/{provider}": {
    plain: [() => ({ at: "/console/api/provider-keys/anthropic", body: { api_key: "sk-of-a-test" } })],
  },
  "POST /console/api/provider-keys/{provider}/test": {
    plain: [() => ({ at: "/console/api/provider-keys/demo/test", body: {} })],
  },
  "DELETE /console/api/provider-keys/{provider}": { plain: [() => ({ at: "/console/api/provider-keys/openai" })] },
  "GET /console/api/audit": { plain: [just(), ({ members: id }) => ({ at: `/console/api/audit?actor=${id}` })] },
  "GET /console/api/members": open,
  "PATCH /console/api/members/{userId}": inPath("members", { role: "viewer" }),
  "DELETE /console/api/members/{userId}": inPath("members"),
  "DELETE /console/api/members/{userId}/sessions": inPath("members"),
  "GET /console/api/service-accounts": open,
  "POST /console/api/service-accounts": { plain: [just({ name: "Program" })] },
  "PATCH /console/api/service-accounts/{id}": inPath("service_accounts", { name: "X" }),
  "DELETE /console/api/service-accounts/{id}": inPath("service_accounts"),
  "GET /console/api/invitations": open,
  "POST /console/api/invitations": { plain: [() => ({ body: { email: scratchEmail(), role: "viewer" } })] },
  "DELETE /console/api/invitations/{id}": inPath("invitations"),
  "GET /console/api/workspace": open,
  "GET /console/api/workspace/approvals": open,
  "PUT /console/api/workspace/approvals": { plain: [just({ approvals: [] })] },
  "GET /console/api/workspace/resources": open,
  "POST /console/api/workspace/resources/diff": { plain: [just(description([]))] },
  "POST /console/api/workspace/resources/apply": {
    plain: [just(description([]))],
    naming: [({ agents: id }) => ({ body: description([{ ...SCHEDULE, assigned_agent_id: id }]) })],
  },
  "PATCH /console/api/workspace": { plain: [(_, own) => ({ body: { name: own["workspaceName"] } })] },
  "DELETE /console/api/workspace": {
    naming: [({ workspaceName }) => ({ at: `/console/api/workspace?confirm=${workspaceName}` })],
  },
  "GET /console/api/workspaces": open,
  "GET /console/api/instance/workspaces": open,
  "PATCH /console/api/instance/workspaces/{id}": inPath("workspaces", { plan: "pro" }),
  "DELETE /console/api/instance/workspaces/{id}": {
    naming: [({ workspaces: id }) => ({ at: `/console/api/instance/workspaces/${id}?confirm=x` })],
  },
  "GET /console/api/instance/erasures": open,
  "DELETE /console/api/instance/people": {
    naming: [({ workspaces: id }) => ({ at: `/console/api/instance/people?email=x@y.z&confirm=x&workspace_id=${id}` })],
  },
  "GET /console/api/instance/tenants": open,
  "GET /console/api/instance/processes": open,
  "GET /console/api/instance/queues": open,
  "GET /console/api/instance/log-level": open,
  "PUT /console/api/instance/log-level": { plain: [just({ level: "info", minutes: 1 })] },
  "GET /console/api/models": open,
  "POST /console/api/workspaces": { plain: [just({ name: "X" })] },
};
