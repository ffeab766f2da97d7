import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { newId } from "#lib/ids.ts";
import { apiOf, consoleOf, idsOf, refusal, send } from "../../support/api.ts";
import type { Answer } from "../../support/api.ts";
import { servedRoutes } from "../../support/checks/served-routes.ts";
import { HIDDEN, openReachScene } from "../../support/reach-scene.ts";
import type { ReachScene } from "../../support/reach-scene.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, QUICK, createTask, stopTask, taskIn } from "../../support/work.ts";

/** What needs no credential, or would count against the limits of sign-ins. */
const UNTRIED = /^\w+ \/(?:auth\/|hooks\/|inbound\/|$)/;

const questions = z.looseObject({ items: z.array(z.looseObject({ id: z.string() })) });

let scene: ReachScene;
beforeAll(async () => void (scene = await openReachScene()));

const say = (answer: Answer) => [answer.status, answer.text];

verifies(
  "keys.reach.runs",
  "a key limited to an agent starts, reads, answers, stops and deletes its runs",
  async () => {
    const { key } = await scene.limitedKey();
    const api = apiOf(scene.service, key);
    const desk = consoleOf(scene.service, key);
    expect(idsOf(await api.get("/api-agents"))).toEqual([scene.agentId]);
    const { id } = await createTask(api, { assigned_agent_id: scene.agentId, description: QUICK });
    expect(await taskIn(api, id, "completed")).toMatchObject({ result: "done" });
    expect(idsOf(await api.get("/api-tasks"))).toEqual(expect.arrayContaining([id, scene.taskId]));
    const found = await desk.get("/runs?q=Reached");
    expect(found.text).toContain(scene.taskId);
    for (const path of [`/runs/${id}`, `/runs/${id}/steps`, `/runs/${id}/conversation`, `/search?q=Reached`]) {
      expect([path, ...say(await desk.get(path))]).toEqual([path, 200, expect.not.stringContaining(HIDDEN)]);
    }
    const ask = '[[tool:request_choice {"title":"What?","choices":[{"id":"tea","label":"Tea"}]}]]';
    const asking = await createTask(api, { assigned_agent_id: scene.agentId, description: ask });
    await taskIn(api, asking.id, "waiting_for_input");
    const { items } = questions.parse((await desk.get("/questions")).body);
    const question = items.find((one) => JSON.stringify(one).includes(asking.id));
    const answered = await desk.post(`/tasks/${asking.id}/answer`, {
      interactionId: question?.["id"],
      selectedOptionId: "tea",
    });
    expect(say(answered)).toEqual([200, expect.any(String)]);
    await taskIn(api, asking.id, "completed");
    const endless = await createTask(api, { assigned_agent_id: scene.agentId, description: ENDLESS });
    await stopTask(api, endless.id);
    await taskIn(api, endless.id, "cancelled");
    expect((await api.delete(`/api-tasks?id=${endless.id}`)).status).toBe(204);
  },
);

verifies("keys.reach.nothing-else", "what belongs to other agents looks unknown, and cannot be started", async () => {
  const { key } = await scene.limitedKey();
  const api = apiOf(scene.service, key);
  const { hidden } = scene;
  const unknown = newId();
  for (const [foreign, missing] of [
    [`/api-agents?id=${hidden.agentId}`, `/api-agents?id=${unknown}`],
    [`/api-tasks?id=${hidden.taskId}`, `/api-tasks?id=${unknown}`],
    [`/api-teams?id=${hidden.teamId}`, `/api-teams?id=${unknown}`],
  ] as const) {
    expect(refusal(await api.get(foreign))).toEqual(refusal(await api.get(missing)));
  }
  const mine = await createTask(api, { assigned_agent_id: scene.agentId, description: QUICK });
  await taskIn(api, mine.id, "completed");
  const starts = [
    await api.post("/api-tasks", { title: "x", assigned_agent_id: hidden.agentId }),
    await api.post("/api-tasks", { title: "x", assigned_agent_id: unknown }),
    await api.post("/api-tasks", { title: "x", assigned_team_id: hidden.teamId }),
    await api.post("/api-tasks", { title: "x" }),
    await api.post("/api-runs", { team_id: hidden.teamId, input_task: "x" }),
    await api.patch(`/api-tasks?id=${mine.id}`, { assigned_agent_id: hidden.agentId, status: "dispatched" }),
  ];
  expect(starts.map((answer) => refusal(answer).status)).toEqual([403, 403, 403, 403, 403, 403]);
  const messages = new Set(starts.map((answer) => refusal(answer).message));
  expect([...messages]).toEqual([expect.stringContaining("limited to certain agents and teams")]);
});

verifies("keys.reach.every-route", "no route shows or changes anything beyond the reach", async () => {
  const { key } = await scene.limitedKey();
  const { agentId, taskId, teamId } = scene.hidden;
  const before = await fingerprint();
  const wrong: string[] = [];
  for (const route of servedRoutes().filter((one) => !UNTRIED.test(one))) {
    const [method = "", path = ""] = route.replace("ANY", "POST").split(" ");
    for (const id of [agentId, taskId, teamId]) {
      const url = `${scene.service.url}${path.replaceAll(/\{\w+\}/g, id)}${path.includes("{") ? "" : `?id=${id}`}`;
      const body = ["GET", "HEAD", "DELETE"].includes(method) ? {} : { body: {} };
      const answer = await send(method, url, { headers: { "x-api-key": key }, ...body });
      if (answer.status >= 500 || answer.text.includes(HIDDEN))
        wrong.push(`${route}: ${answer.status} ${answer.text.slice(0, 300)}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(await fingerprint()).toEqual(before);
});

/** What the owner sees of the hidden records. */
async function fingerprint(): Promise<unknown> {
  const { agentId, taskId, teamId } = scene.hidden;
  const paths = [`/api-agents?id=${agentId}`, `/api-tasks?id=${taskId}`, `/api-teams?id=${teamId}`, "/api-hooks"];
  return Promise.all(paths.map(async (path) => (await scene.api.get(path)).body));
}
