import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { ADA_ENV, bearer, signIn } from "../../support/accounts.ts";
import { apiOf, consoleOf, refusal, send } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { callOf } from "../../support/interactions.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { createTeam, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../../support/work.ts";
import { addMember, addWorkspace } from "../../support/workspace.ts";

const named = z.object({ id: z.string(), name: z.string() }).nullable();
const page = z.object({
  items: z.array(
    z.looseObject({
      id: z.string(),
      state: z.string(),
      subject: z.object({ kind: z.string(), id: z.string(), title: z.string() }),
      agent: named,
      team: named,
      request: z.looseObject({ title: z.string() }),
      answered_at: z.string().nullable(),
      answered_by: named,
      answered_via: z.string().nullable(),
    }),
  ),
  next_cursor: z.string().nullable(),
});

const APPROVAL = "request_approval";

let service: TestService;

beforeAll(async () => {
  service = await startService({ env: ADA_ENV });
});
afterAll(() => service.stop());

async function questions(desk: Api, query = "") {
  return page.parse((await desk.get(`/questions${query}`)).body);
}

/** A workspace with an agent that asks. */
async function workspaceWithQuestions() {
  const workspace = await addWorkspace(service.databaseUrl);
  const api = apiOf(service, workspace.key);
  const agent = await createAgent(api, { name: "Asker", tools: [APPROVAL] });
  const ask = async (title: string, timeoutMs = 600_000) => {
    const description = callOf(APPROVAL, { title, timeoutMs });
    return createTask(api, { title: `Task of ${title}`, description, assigned_agent_id: agent.id });
  };
  return { ...workspace, api, desk: consoleOf(service, workspace.key), agent, ask };
}

verifies("console.questions.open", "open questions of tasks and runs are in one list by deadline", async () => {
  const { api, desk, agent, ask, workspaceId } = await workspaceWithQuestions();
  const late = await taskIn(api, (await ask("Late?", 900_000)).id, "waiting_for_input");
  const soon = await taskIn(api, (await ask("Soon?", 300_000)).id, "waiting_for_input");
  const team = await createTeam(api, { name: "Crew", config: { steps: [{ agent_id: agent.id }] } });
  const run = await startRun(api, team.id, callOf(APPROVAL, { title: "Of a run?", timeoutMs: 600_000 }));
  const viewer = consoleOf(service, (await addMember(service.databaseUrl, workspaceId, "viewer")).key);
  const { items } = await eventually("all three ask", async () => {
    const found = await questions(viewer);
    return found.items.length === 3 && found;
  });
  expect(items.map(({ request, subject, state }) => [request.title, subject.kind, subject.id, state])).toEqual([
    ["Soon?", "task", soon.id, "open"],
    ["Of a run?", "run", run.id, "open"],
    ["Late?", "task", late.id, "open"],
  ]);
  expect(items[0]).toMatchObject({ agent: { id: agent.id, name: "Asker" }, team: null, answered_by: null });
  expect(items[1]).toMatchObject({ agent: null, team: { id: team.id, name: "Crew" } });
  expect((await questions(desk, `?agent_id=${agent.id}`)).items).toHaveLength(2);
  expect((await questions(desk, `?team_id=${team.id}`)).items).toHaveLength(1);
  const foreign = await workspaceWithQuestions();
  expect((await questions(foreign.desk)).items).toEqual([]);
  expect((await questions(foreign.desk, `?agent_id=${agent.id}`)).items).toEqual([]);
  const answer = { interactionId: items[1]?.id, approved: true };
  expect((await desk.post(`/runs/${run.id}/answer`, answer)).status).toBe(200);
  expect((await questions(desk)).items).toHaveLength(2);
  const [answered] = (await questions(desk, "?state=answered")).items;
  expect(answered).toMatchObject({ subject: { kind: "run", id: run.id }, answered_via: "api" });
  for (const { id } of [late, soon]) await api.patch(`/api-tasks?id=${id}`, { status: "cancelled" });
  expect((await questions(desk)).items).toEqual([]);
  expect((await questions(desk, "?state=expired")).items).toEqual([]);
});

verifies("console.questions.history", "an answer records its author, and an expired question stays", async () => {
  const { user, access_token } = await signIn(service);
  const headers = bearer(access_token);
  const api = apiOf(service, service.keys.api);
  const desk = consoleOf(service, service.keys.api);
  const agent = await createAgent(api, { tools: [APPROVAL] });
  const ask = (title: string, timeoutMs: number) =>
    createTask(api, { title, description: callOf(APPROVAL, { title, timeoutMs }), assigned_agent_id: agent.id });
  const task = await ask("Yes?", 600_000);
  await taskIn(api, task.id, "waiting_for_input");
  const [open] = (await questions(desk)).items;
  const answered = await send("POST", `${service.url}/console/api/tasks/${task.id}/answer`, {
    headers,
    body: { interactionId: open?.id, approved: false },
  });
  expect(answered.status).toBe(200);
  const [closed] = (await questions(desk, "?state=answered")).items;
  expect(closed).toMatchObject({
    id: open?.id,
    state: "answered",
    request: { title: "Yes?" },
    answered_via: "console",
  });
  expect(closed?.answered_by?.id).toBe(user.id);
  expect(closed?.answered_at).not.toBeNull();

  const missed = await ask("Too late?", 1_000);
  await taskIn(api, missed.id, "failed");
  const [expired] = (await questions(desk, "?state=expired")).items;
  expect(expired).toMatchObject({ request: { title: "Too late?" }, answered_at: null, answered_by: null });
  await api.delete(`/api-tasks?id=${missed.id}`);
  expect((await questions(desk, "?state=expired")).items).toEqual([]);
});

verifies("console.questions.pages", "pages give every question once, and bad queries say why", async () => {
  const { api, desk, ask } = await workspaceWithQuestions();
  const asked = await Promise.all(["A?", "B?", "C?", "D?", "E?"].map((title) => ask(title)));
  for (const { id } of asked) await taskIn(api, id, "waiting_for_input");
  const collect = async (state: string) => {
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const after: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const { items, next_cursor } = await questions(desk, `?state=${state}&limit=2${after}`);
      seen.push(...items.map(({ id }) => id));
      cursor = next_cursor;
    }
    return seen;
  };
  const open = await collect("open");
  expect([open.length, new Set(open).size]).toEqual([5, 5]);
  const { next_cursor: ofOpen } = await questions(desk, "?limit=2");
  for (const { id, subject } of (await questions(desk)).items) {
    await desk.post(`/tasks/${subject.id}/answer`, { interactionId: id, approved: true });
  }
  expect((await collect("answered")).toSorted()).toEqual(open.toSorted());
  for (const query of ["state=closed", "agent_id=1", "limit=0", "cursor=x", `state=answered&cursor=${ofOpen}`, "x=1"]) {
    expect([query, refusal(await desk.get(`/questions?${query}`)).status]).toEqual([query, 400]);
  }
});
