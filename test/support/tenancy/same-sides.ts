import { apiOf, fieldsOf, send } from "../api.ts";
import type { Api } from "../api.ts";
import type { TestAccess } from "../service.ts";
import { createTeam, runIn, startRun } from "../teams.ts";
import { ENDLESS, QUICK, createAgent, taskInState } from "../work.ts";
import { seedTenantTables } from "./seed-tenant-tables.ts";

/** One of two workspaces in which the same things were made. */
export interface SameSide {
  readonly api: Api;
  readonly key: string;
  readonly workspaceId: string;
  readonly agentId: string;
  readonly taskId: string;
  readonly teamId: string;
  readonly runId: string;
  readonly hookId: string;
}

/** Makes those things in a workspace, and a row in every table. */
export async function fillSide(
  service: TestAccess,
  { key, workspaceId }: { readonly key: string; readonly workspaceId: string },
): Promise<SameSide> {
  const api = apiOf(service, key);
  const { id: agentId } = await createAgent(api);
  await taskInState(api, { agentId, status: "completed", description: QUICK });
  const task = await taskInState(api, { agentId, status: "running", description: ENDLESS });
  await send("PUT", `${service.url}/console/api/provider-keys/openai`, {
    headers: { "x-api-key": key },
    body: { api_key: `sk-of-${workspaceId}` },
  });
  const teamId = (await createTeam(api, { config: { steps: [{ agent_id: agentId, instructions: QUICK }] } })).id;
  const { id: runId } = await runIn(api, (await startRun(api, teamId)).id, "completed");
  const hook = await api.post("/api-hooks", { target_url: "https://example.com/", event: "task_failed" });
  const hookId = String(fieldsOf(hook)["id"]);
  await seedTenantTables(service.databaseUrl, workspaceId);
  return { api, key, workspaceId, agentId, taskId: task.id, teamId, runId, hookId };
}
