import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { ADA, ADA_ENV, bearer, postAuth, sessionOf, signIn } from "../../support/accounts.ts";
import { apiOf, consoleOf, refusal, send } from "../../support/api.ts";
import { callOf } from "../../support/interactions.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, readTask, taskIn } from "../../support/work.ts";
import { addMember, addWorkspace, sql } from "../../support/workspace.ts";

const link = z.strictObject({ link: z.string(), expires_at: z.string().nullable() });
const linked = z.looseObject({ state: z.string(), request: z.looseObject({ title: z.string() }) });
const question = z.looseObject({ id: z.string(), state: z.string() });
const page = z.object({ items: z.array(question) });

let service: TestService;

beforeAll(async () => {
  service = await startService({ env: ADA_ENV });
});
afterAll(() => service.stop());

/** A workspace that allows links, with a task that asks. */
async function asking(tool = "request_approval", fields: object = {}, timeoutMs = 600_000) {
  const workspace = await addWorkspace(service.databaseUrl);
  const api = apiOf(service, workspace.key);
  const desk = consoleOf(service, workspace.key);
  expect((await desk.patch("/workspace", { answer_links: true })).status).toBe(200);
  const agent = await createAgent(api, { name: "Asker", tools: [tool] });
  const description = callOf(tool, { title: "Go on?", timeoutMs, ...fields });
  const task = await createTask(api, { title: "Ship it", description, assigned_agent_id: agent.id });
  await taskIn(api, task.id, "waiting_for_input");
  const [open] = page.parse((await desk.get("/questions")).body).items;
  const id = open?.id ?? "";
  const make = (body: object = {}) => desk.post(`/questions/${id}/link`, body);
  return { ...workspace, api, desk, task, id, make };
}

function tokenOf(made: unknown): string {
  const url = new URL(link.parse(made).link);
  expect(url.pathname).toBe("/a");
  return url.hash.replace("#token=", "");
}

/** Ada's session in one of her workspaces. */
const signInTo = async (workspaceId: string) =>
  sessionOf(await postAuth(service, "sign-in", { ...ADA, workspace_id: workspaceId }));

const read = (token: string) => postAuth(service, "answer-link", { token });
const answer = (token: string, body: object) =>
  postAuth(service, "answer-link/answer", { token, name: "Grace", ...body });

verifies("console.links.off", "links need an admin's permission, and end when they are disabled", async () => {
  const { desk, id, make, workspaceId } = await asking();
  const made = await make();
  expect(made.status).toBe(201);
  const token = tokenOf(made.body);
  expect((await read(token)).status).toBe(200);
  const member = consoleOf(service, (await addMember(service.databaseUrl, workspaceId, "member")).key);
  expect(refusal(await member.patch("/workspace", { answer_links: false })).status).toBe(403);
  await desk.patch("/workspace", { answer_links: false });
  expect(refusal(await make())).toMatchObject({ status: 403, code: "forbidden" });
  expect(refusal(await read(token)).status).toBe(404);
  expect(refusal(await answer(token, { approved: true })).status).toBe(404);
  await desk.patch("/workspace", { answer_links: true });
  const viewer = consoleOf(service, (await addMember(service.databaseUrl, workspaceId, "viewer")).key);
  expect(refusal(await viewer.post(`/questions/${id}/link`, {})).status).toBe(403);
});

verifies(
  ["console.links.answer", "console.questions.one"],
  "a link's holder reads the question and answers it once, under a name",
  async () => {
    const { desk, api, id, make, task } = await asking();
    const token = tokenOf((await make()).body);
    for (const _ of [1, 2]) {
      const seen = await read(token);
      expect(seen.body).toMatchObject({
        state: "open",
        asker: "Asker",
        title: "Ship it",
        request: { title: "Go on?" },
      });
      expect(seen.headers.get("cache-control")).toBe("no-store");
    }
    expect((await readTask(api, task.id)).status).toBe("waiting_for_input");
    expect(refusal(await answer(token, { approved: "yes" })).status).toBe(400);
    expect(refusal(await answer(token, { approved: true, name: " " })).status).toBe(400);
    expect(linked.parse((await answer(token, { approved: true })).body)).toMatchObject({
      state: "answered",
      answered_by: "Grace",
    });
    expect(refusal(await answer(token, { approved: false })).status).toBe(409);
    await taskIn(api, task.id, "completed");
    expect((await desk.get(`/questions/${id}`)).body).toMatchObject({
      state: "answered",
      subject: { id: task.id, status: "completed" },
      answered_by: null,
      answered_name: "Grace",
      answered_via: "link",
      answer: { approved: true },
    });
    expect(refusal(await desk.get(`/questions/${task.id}`)).status).toBe(404);
    expect(linked.parse((await read(token)).body)).toMatchObject({ state: "answered", answered_by: "Grace" });
  },
);

verifies("console.links.answer", "a link leads through the pages of a wizard", async () => {
  const steps = [
    { stepId: "one", type: "text_input", title: "Page one" },
    { stepId: "two", type: "approval", title: "Page two" },
  ];
  const { desk, id, make } = await asking("request_wizard", { steps });
  const token = tokenOf((await make()).body);
  const second = await answer(token, { wizardStepId: "one", text: "first" });
  expect(second.body).toMatchObject({ state: "open", request: { wizardStepId: "two" } });
  expect((await answer(token, { wizardStepId: "two", approved: true })).body).toMatchObject({ state: "answered" });
  expect((await desk.get(`/questions/${id}`)).body).toMatchObject({ answer: { cancelled: false } });
});

verifies(
  "console.links.end",
  "a link ends at its expiry, with the work, and with its creator's membership",
  async () => {
    const { desk, api, task, make, workspaceId } = await asking();
    const token = tokenOf((await make()).body);
    const hashes = "select token_hash from answer_links where workspace_id = $1";
    expect(JSON.stringify(await sql(service.databaseUrl, hashes, [workspaceId]))).not.toContain(token);
    expect(refusal(await make({ expires_at: "2020-01-01T00:00:00Z" })).status).toBe(400);
    expect(refusal(await make({ expires_at: "soon" })).status).toBe(400);
    const early = tokenOf((await make({ expires_at: new Date(Date.now() + 60_000).toISOString() })).body);
    expect((await read(early)).status).toBe(200);
    const passed = "update answer_links set expires_at = now() where workspace_id = $1 and expires_at is not null";
    await sql(service.databaseUrl, passed, [workspaceId]);
    expect(refusal(await read(early)).status).toBe(404);

    const made = await addMember(service.databaseUrl, workspaceId, "member");
    const [open] = page.parse((await desk.get("/questions")).body).items;
    const theirs = consoleOf(service, made.key);
    const other = tokenOf((await theirs.post(`/questions/${open?.id ?? ""}/link`, {})).body);
    expect((await read(other)).status).toBe(200);
    await desk.delete(`/members/${made.userId}`);
    expect(refusal(await read(other)).status).toBe(404);
    expect(refusal(await answer(other, { approved: true })).status).toBe(404);

    await api.patch(`/api-tasks?id=${task.id}`, { status: "cancelled" });
    expect(refusal(await read(token)).status).toBe(404);
    expect([404, 409]).toContain((await make()).status);
    const left = listed.parse((await desk.get("/answer-links")).body).items;
    expect(left.map(({ state }) => state)).toEqual(["expired", "expired", "expired"]);
    await api.delete(`/api-tasks?id=${task.id}`);
    expect(await sql(service.databaseUrl, hashes, [workspaceId])).toEqual([]);
  },
);

verifies(
  "console.questions.right",
  "a viewer answers as soon as an admin allows it, and does nothing else",
  async () => {
    const { desk, id, task, workspaceId } = await asking();
    const { user } = await signIn(service);
    const join = "insert into members (workspace_id, user_id, role) values ($1, $2, 'viewer')";
    await sql(service.databaseUrl, join, [workspaceId, user.id]);
    const session = await signInTo(workspaceId);
    expect(session.workspaces.find((one) => one.id === workspaceId)).toMatchObject({ can_answer: false });
    const headers = bearer(session.access_token);
    const give = () =>
      send("POST", `${service.url}/console/api/tasks/${task.id}/answer`, {
        headers,
        body: { interactionId: id, approved: true },
      });
    expect(refusal(await give())).toMatchObject({ status: 403 });
    expect(refusal(await desk.patch(`/members/${user.id}`, {})).status).toBe(400);
    const allowed = await desk.patch(`/members/${user.id}`, { can_answer: true });
    expect(allowed.body).toMatchObject({ role: "viewer", can_answer: true });
    const again = await signInTo(workspaceId);
    expect(again.workspaces.find((one) => one.id === workspaceId)).toMatchObject({ can_answer: true });
    const agents = await send("POST", `${service.url}/functions/v1/api-agents`, { headers, body: { name: "No" } });
    expect(agents.status).toBe(403);
    expect((await give()).status).toBe(200);
    expect((await desk.get(`/questions/${id}`)).body).toMatchObject({
      answered_by: { id: user.id },
      answered_via: "console",
    });
  },
);

const listed = z.object({
  items: z.array(z.looseObject({ id: z.string(), state: z.string() })),
  next_cursor: z.string().nullable(),
});

verifies("console.links.list", "the links of a question are listed page by page, without their tokens", async () => {
  const { desk, id, make, task, workspaceId } = await asking();
  const tokens = [tokenOf((await make()).body), tokenOf((await make()).body), tokenOf((await make()).body)];
  const first = await desk.get(`/answer-links?question_id=${id}&limit=2`);
  expect(first.status, first.text).toBe(200);
  expect(first.body).toMatchObject({
    items: [
      { question_id: id, run_id: task.id, title: "Ship it", question: "Go on?", state: "open", revoked_at: null },
      { expires_at: expect.any(String) },
    ],
  });
  const { items, next_cursor: next } = listed.parse(first.body);
  const rest = listed.parse((await desk.get(`/answer-links?limit=2&cursor=${next}`)).body);
  expect(new Set([...items, ...rest.items].map((one) => one.id)).size).toBe(3);
  expect(rest.next_cursor).toBeNull();
  for (const token of tokens) expect(first.text).not.toContain(token);
  expect(refusal(await desk.get("/answer-links?cursor=x"))).toMatchObject({ status: 400, paths: ["cursor"] });
  const viewer = consoleOf(service, (await addMember(service.databaseUrl, workspaceId, "viewer")).key);
  expect(listed.parse((await viewer.get("/answer-links")).body).items).toHaveLength(3);
  expect(listed.parse((await (await asking()).desk.get(`/answer-links?question_id=${id}`)).body).items).toEqual([]);
});

verifies(
  "console.links.revoke",
  "a revoked link gets the response of an unknown one, and the log says who revoked it",
  async () => {
    const { desk, id, make, task, workspaceId } = await asking();
    const token = tokenOf((await make()).body);
    const other = tokenOf((await make()).body);
    expect((await read(token)).status).toBe(200);
    const { items } = listed.parse((await desk.get(`/answer-links?question_id=${id}`)).body);
    const oldest = items.at(-1)?.id ?? "";
    const viewer = consoleOf(service, (await addMember(service.databaseUrl, workspaceId, "viewer")).key);
    expect(refusal(await viewer.call("DELETE", `/answer-links/${oldest}`)).status).toBe(403);
    for (const _ of [1, 2]) expect((await desk.call("DELETE", `/answer-links/${oldest}`)).status).toBe(204);
    expect(refusal(await read(token)).status).toBe(404);
    expect(refusal(await answer(token, { approved: true })).status).toBe(404);
    expect((await read(other)).status).toBe(200);
    expect(refusal(await desk.call("DELETE", `/answer-links/${task.id}`)).status).toBe(404);
    const after = listed.parse((await desk.get("/answer-links")).body).items;
    expect(after.map(({ state }) => state)).toEqual(["open", "revoked"]);
    const log = z.object({ items: z.array(z.looseObject({ action: z.string() })) });
    const entries = log.parse((await desk.get("/audit?kind=run")).body).items.map(({ action }) => action);
    expect(entries).toEqual(["question.link_revoked", "question.link_created", "question.link_created"]);
  },
);
