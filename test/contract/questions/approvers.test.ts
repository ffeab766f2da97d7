import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { ADA, ADA_ENV, bearer, postAuth, sessionOf } from "../../support/accounts.ts";
import { apiOf, consoleOf, refusal, send } from "../../support/api.ts";
import { callOf } from "../../support/interactions.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../../support/work.ts";

let service: TestService;

beforeAll(async () => {
  service = await startService({ env: ADA_ENV });
});
afterAll(() => service.stop());

const page = z.object({ items: z.array(z.looseObject({ id: z.string() })) });
const shownLink = z.looseObject({ link: z.string() });

/** A task that waits for approval of a protected tool, in the workspace of Ada. */
async function waiting(config: Readonly<Record<string, unknown>>) {
  const api = apiOf(service, service.keys.api);
  const desk = consoleOf(service, service.keys.api);
  await desk.patch("/workspace", { answer_links: true });
  const protectedTool = { requires_approval: ["current_time"], ...config };
  const agent = await createAgent(api, { tools: ["current_time"], is_a2a_published: true, config: protectedTool });
  const description = callOf("current_time", { time_zone: "Europe/Oslo" });
  const { id } = await createTask(api, { description, assigned_agent_id: agent.id });
  await taskIn(api, id, "waiting_for_input");
  const [question] = page.parse((await desk.get(`/questions?run_id=${id}`)).body).items;
  const interactionId = question?.id ?? "";
  return {
    api,
    desk,
    id,
    agent,
    interactionId,
    byKey: () => desk.post(`/tasks/${id}/answer`, { interactionId, approved: true }),
    byAgUi: () =>
      send("POST", `${service.url}/ag-ui/${agent.id}/respond`, {
        headers: { authorization: `Bearer ${service.keys.agui}` },
        body: { threadId: id, interactionId, approved: true },
      }),
    linkByKey: () => desk.post(`/questions/${interactionId}/link`, {}),
    link: (headers: Record<string, string>) =>
      send("POST", `${service.url}/console/api/questions/${interactionId}/link`, { headers, body: {} }),
  };
}

/** The headers of Ada, signed in. */
const asAda = async () => bearer(sessionOf(await postAuth(service, "sign-in", ADA)).access_token);

const answerLink = (made: unknown) => {
  const token = new URL(shownLink.parse(made).link).hash.replace("#token=", "");
  return postAuth(service, "answer-link/answer", { token, name: "Grace", approved: true });
};

verifies(
  "interactions.approvers.people",
  "a key cannot approve a protected tool, on no surface; a person can",
  async () => {
    const { api, id, interactionId, agent, byKey, byAgUi, linkByKey } = await waiting({});
    for (const refused of [await byKey(), await byAgUi(), await linkByKey()])
      expect([refused.status, refused.text]).toEqual([403, expect.stringContaining("person")]);
    expect(refusal(await byKey())).toMatchObject({ code: "forbidden" });
    const yes = { role: "user", messageId: "m1", taskId: id, parts: [{ kind: "text", text: "yes" }] };
    const message = { jsonrpc: "2.0", id: 1, method: "message/send", params: { message: yes } };
    const a2a = await send("POST", `${service.url}/a2a/${agent.id}`, {
      headers: { authorization: `Bearer ${service.keys.a2a}` },
      body: message,
    });
    expect(a2a.text).not.toContain('"completed"');
    await taskIn(api, id, "waiting_for_input");
    const answered = await send("POST", `${service.url}/console/api/tasks/${id}/answer`, {
      headers: await asAda(),
      body: { interactionId, approved: true },
    });
    expect([answered.status, answered.text]).toEqual([200, expect.any(String)]);
    expect((await taskIn(api, id, "completed")).result).toContain("Europe/Oslo");
  },
);

verifies("interactions.approvers.people", "a person's answer link approves, unless only members may", async () => {
  const people = await waiting({});
  const made = await people.link(await asAda());
  expect(made.status).toBe(201);
  expect((await answerLink(made.body)).status).toBe(200);
  await taskIn(people.api, people.id, "completed");
  const members = await waiting({ approvers: "members" });
  expect(refusal(await members.link(await asAda()))).toMatchObject({ status: 403, code: "forbidden" });
});

verifies(
  "interactions.approvers.caller",
  "with approvers: caller a key approves too; other values are rejected",
  async () => {
    const { api, id, byKey } = await waiting({ approvers: "caller" });
    expect((await byKey()).status).toBe(200);
    await taskIn(api, id, "completed");
    const wrong = await api.post("/api-agents", { name: "A", model: "demo", config: { approvers: "anyone" } });
    expect(refusal(wrong)).toMatchObject({ status: 400, paths: ["config.approvers"] });
  },
);
