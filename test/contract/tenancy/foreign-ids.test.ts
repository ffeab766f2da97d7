import { beforeAll, expect } from "vitest";
import { idsOf, refusal, send } from "../../support/api.ts";
import type { Answer, Api } from "../../support/api.ts";
import { fillSide } from "../../support/tenancy/same-sides.ts";
import type { SameSide } from "../../support/tenancy/same-sides.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { readRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, readAgent, readTask, stopTask } from "../../support/work.ts";
import { addWorkspace } from "../../support/workspace.ts";

const UNKNOWN = "01940000-0000-7000-8000-000000000000";

let service: SharedService;
let first: SameSide;
let second: SameSide;
const sides: readonly { readonly name: string; readonly get: () => readonly [SameSide, SameSide] }[] = [
  { name: "the second from the first", get: () => [first, second] },
  { name: "the first from the second", get: () => [second, first] },
];

beforeAll(async () => {
  service = await useSharedService();
  first = await fillSide(service, { key: service.keys.api, workspaceId: service.workspaceId });
  second = await fillSide(service, await addWorkspace(service.databaseUrl));
});

/** What of an answer may not depend on whether another workspace has the id. */
function visible({ status, text, headers }: Answer, id: string): unknown {
  const body = text
    .replaceAll(id, "<id>")
    .replace(/"request_id":"[^"]*"/, "")
    .replace(/"timestamp":"[^"]*"/, "");
  const names = [...headers.keys()].filter((name) => name !== "date").toSorted();
  return { status, body, names, length: text.length };
}

const requests: readonly {
  readonly name: string;
  readonly status: number;
  readonly ask: (api: Api, id: string) => Promise<Answer>;
  readonly of: "agentId" | "taskId" | "teamId" | "runId" | "hookId";
}[] = [
  { name: "GET an agent", of: "agentId", status: 404, ask: (api, id) => api.get(`/api-agents?id=${id}`) },
  {
    name: "PATCH an agent",
    of: "agentId",
    status: 404,
    ask: (api, id) => api.patch(`/api-agents?id=${id}`, { name: "X" }),
  },
  { name: "DELETE an agent", of: "agentId", status: 404, ask: (api, id) => api.delete(`/api-agents?id=${id}`) },
  { name: "GET a task", of: "taskId", status: 404, ask: (api, id) => api.get(`/api-tasks?id=${id}`) },
  {
    name: "PATCH a task",
    of: "taskId",
    status: 404,
    ask: (api, id) => api.patch(`/api-tasks?id=${id}`, { title: "X" }),
  },
  {
    name: "cancel a task",
    of: "taskId",
    status: 404,
    ask: (api, id) => api.patch(`/api-tasks?id=${id}`, { status: "cancelled" }),
  },
  { name: "DELETE a task", of: "taskId", status: 404, ask: (api, id) => api.delete(`/api-tasks?id=${id}`) },
  {
    name: "POST a task for an agent",
    of: "agentId",
    status: 404,
    ask: (api, id) => api.post("/api-tasks", { title: "X", assigned_agent_id: id }),
  },
  {
    name: "POST a task for a team",
    of: "teamId",
    status: 404,
    ask: (api, id) => api.post("/api-tasks", { title: "X", assigned_team_id: id }),
  },
  { name: "GET a team", of: "teamId", status: 404, ask: (api, id) => api.get(`/api-teams?id=${id}`) },
  {
    name: "PATCH a team",
    of: "teamId",
    status: 404,
    ask: (api, id) => api.patch(`/api-teams?id=${id}`, { name: "X" }),
  },
  { name: "DELETE a team", of: "teamId", status: 404, ask: (api, id) => api.delete(`/api-teams?id=${id}`) },
  { name: "GET a run", of: "runId", status: 404, ask: (api, id) => api.get(`/api-runs?id=${id}`) },
  {
    name: "PATCH a run",
    of: "runId",
    status: 404,
    ask: (api, id) => api.patch(`/api-runs?id=${id}`, { status: "pending" }),
  },
  {
    name: "POST a run of a team",
    of: "teamId",
    status: 404,
    ask: (api, id) => api.post("/api-runs", { team_id: id, input_task: "X" }),
  },
  { name: "GET a subscription", of: "hookId", status: 404, ask: (api, id) => api.get(`/api-hooks?id=${id}`) },
  { name: "DELETE a subscription", of: "hookId", status: 404, ask: (api, id) => api.delete(`/api-hooks?id=${id}`) },
];

for (const { name: direction, get } of sides) {
  for (const { name, status, ask, of } of requests) {
    verifies(
      ["envelope.id.foreign-looks-unknown", "auth.workspace-isolation", "tasks.create.foreign-agent-404"],
      `${name}, of ${direction}: gets the response of an unknown id, and nothing changes`,
      async () => {
        const [own, other] = get();
        const foreign = await ask(own.api, other[of]);
        const unknown = await ask(own.api, UNKNOWN);
        expect(visible(foreign, other[of])).toEqual(visible(unknown, UNKNOWN));
        expect(refusal(foreign)).toMatchObject({ status, code: "not_found" });
        expect(await readAgent(other.api, other.agentId)).toMatchObject({ name: "Worker", status: "running" });
        expect(await readTask(other.api, other.taskId)).toMatchObject({ status: "running", title: "Work" });
        expect((await other.api.get(`/api-teams?id=${other.teamId}`)).body).toMatchObject({ name: "Crew" });
        expect(await readRun(other.api, other.runId)).toMatchObject({ status: "completed", attempt: 1 });
        expect((await other.api.get(`/api-hooks?id=${other.hookId}`)).status).toBe(200);
      },
    );
  }

  verifies(
    ["auth.workspace-isolation", "agents.list.all", "tasks.list.all"],
    `lists, of ${direction}: show nothing of it`,
    async () => {
      const [own, other] = get();
      for (const [path, id] of [
        ["/api-agents", other.agentId],
        ["/api-tasks", other.taskId],
        ["/api-teams", other.teamId],
        ["/api-runs", other.runId],
        ["/api-hooks", other.hookId],
      ] as const) {
        const ids = idsOf(await own.api.get(`${path}?limit=200`));
        expect(ids.length).toBeGreaterThan(0);
        expect(ids).not.toContain(id);
      }
    },
  );

  verifies(
    "envelope.id.foreign-looks-unknown",
    `PATCH to an agent, of ${direction}: a pending task cannot be given to it`,
    async () => {
      const [own, other] = get();
      const task = await createTask(own.api);
      const assign = (id: string) => own.api.patch(`/api-tasks?id=${task.id}`, { assigned_agent_id: id });
      expect(visible(await assign(other.agentId), other.agentId)).toEqual(visible(await assign(UNKNOWN), UNKNOWN));
      expect(await readTask(own.api, task.id)).toEqual(task);
      await stopTask(own.api, task.id);
    },
  );
}

verifies("auth.workspace-isolation", "providers' keys are listed and deleted in their own workspace only", async () => {
  const path = `${service.url}/console/api/provider-keys`;
  const third = await addWorkspace(service.databaseUrl);
  const headers = { "x-api-key": third.key };
  expect((await send("GET", path, { headers })).body).toEqual([]);
  expect((await send("DELETE", `${path}/openai`, { headers })).status).toBe(404);
  const kept = await send("GET", path, { headers: { "x-api-key": first.key } });
  expect(kept.body).toMatchObject([{ provider: "openai", last4: first.workspaceId.slice(-4) }]);
});
