import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { postAuth } from "../../support/accounts.ts";
import { apiOf, consoleOf, refusal } from "../../support/api.ts";
import { callOf } from "../../support/interactions.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../../support/work.ts";
import { addMember, addWorkspace, sql } from "../../support/workspace.ts";

const made = z.strictObject({ id: z.string(), link: z.string(), expires_at: z.string() });
const listed = z.array(z.looseObject({ id: z.string(), state: z.string() }));
const stepPage = z.object({ steps: z.array(z.looseObject({ key: z.string(), kind: z.string() })) });
const RESULT = expect.stringContaining("current_time: ");
const PRIVATE = "The number of the safe is 4711.";

let service: TestService;

beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

/** A workspace that allows links, with a run that has ended after a call of a tool. */
async function sharing() {
  const workspace = await addWorkspace(service.databaseUrl);
  const api = apiOf(service, workspace.key);
  const desk = consoleOf(service, workspace.key);
  expect((await desk.patch("/workspace", { run_links: true })).status).toBe(200);
  const agent = await createAgent(api, { name: "Writer", system_prompt: PRIVATE, tools: ["current_time"] });
  const description = callOf("current_time", { time_zone: "UTC" });
  const { id } = await createTask(api, { title: "Tell the time", description, assigned_agent_id: agent.id });
  await taskIn(api, id, "completed");
  const make = (body: object = {}, run = id) => desk.post(`/runs/${run}/links`, body);
  return { ...workspace, api, desk, agent, id, make };
}

function tokenOf(body: unknown): string {
  const url = new URL(made.parse(body).link);
  expect(url.pathname).toBe("/s");
  return url.hash.replace("#token=", "");
}

const read = (token: string) => postAuth(service, "run-link", { token });
const readSteps = (token: string, after?: string) => postAuth(service, "run-link/steps", { token, after });
const readStep = (token: string, key: string) => postAuth(service, "run-link/step", { token, key });

verifies("runs.links.off", "links to runs need an admin's permission, and end when they are disabled", async () => {
  const { desk, make, workspaceId } = await sharing();
  const token = tokenOf((await make()).body);
  expect((await read(token)).status).toBe(200);
  const member = consoleOf(service, (await addMember(service.databaseUrl, workspaceId, "member")).key);
  expect(refusal(await member.patch("/workspace", { run_links: false })).status).toBe(403);
  await desk.patch("/workspace", { run_links: false });
  expect(refusal(await make())).toMatchObject({ status: 403, code: "forbidden" });
  expect(refusal(await read(token)).status).toBe(404);
  await desk.patch("/workspace", { run_links: true });
  const viewer = await addMember(service.databaseUrl, workspaceId, "viewer");
  expect(refusal(await consoleOf(service, viewer.key).post(`/runs/${workspaceId}/links`, {})).status).toBe(403);
});

verifies(
  "runs.links.shows",
  "a link shows the request and the result, and the steps and the cost only where its creator wants",
  async () => {
    const { make, agent, id } = await sharing();
    const token = tokenOf((await make()).body);
    const seen = await read(token);
    expect(seen.body).toMatchObject({ title: "Tell the time", by: "Writer", status: "completed", result: RESULT });
    expect(seen.body).toMatchObject({ cost: null, shows_steps: false, details: "kept" });
    expect(seen.headers.get("cache-control")).toBe("no-store");
    for (const hidden of [PRIVATE, id, agent.id]) expect(seen.text).not.toContain(hidden);
    expect(refusal(await readSteps(token)).status).toBe(404);
    expect(refusal(await readStep(token, "model:0")).status).toBe(404);

    const whole = tokenOf((await make({ shows_steps: true, shows_cost: true })).body);
    expect((await read(whole)).body).toMatchObject({ cost: { cost_usd: 0, tokens: expect.any(Number) } });
    const { steps } = stepPage.parse((await readSteps(whole)).body);
    expect(steps.map(({ kind }) => kind)).toEqual(["model", "tool", "model"]);
    const details = await Promise.all(steps.map(({ key }) => readStep(whole, key)));
    expect(details.map(({ body }) => body)).toMatchObject([
      { arguments: null },
      { arguments: '{"time_zone":"UTC"}', result: expect.stringContaining("UTC") },
      { text: RESULT },
    ]);
    // What was sent to the model is in no record of a link.
    for (const { text } of details) expect(text).not.toMatch(/4711|exchanges|messages|idempotency_key/);
    expect(refusal(await readStep(whole, "model:9")).status).toBe(404);
    expect(refusal(await readSteps(whole, "model:9")).status).toBe(400);
    expect(refusal(await read("x".repeat(300))).status).toBe(400);
  },
);

verifies("runs.links.shows", "a link follows its run, and shows no other attempt and no other run", async () => {
  const { api, desk, make, id } = await sharing();
  const other = await sharing();
  const first = tokenOf((await make()).body);
  const agent = await createAgent(api, { name: "Asker", tools: ["request_approval"] });
  const description = callOf("request_approval", { title: "Go on?" });
  const open = await createTask(api, { title: "Wait", description, assigned_agent_id: agent.id });
  await taskIn(api, open.id, "waiting_for_input");
  const followed = tokenOf((await make({}, open.id)).body);
  expect((await read(followed)).body).toMatchObject({ status: "waiting_for_input", result: null });
  await api.patch(`/api-tasks?id=${open.id}`, { status: "cancelled" });
  expect((await read(followed)).body).toMatchObject({ status: "cancelled" });

  const team = await createTeam(api, { name: "Crew" });
  const run = await startRun(api, team.id, "Write it");
  await runIn(api, run.id, "completed");
  const shared = tokenOf((await make({ shows_steps: true }, run.id)).body);
  expect((await read(shared)).body).toMatchObject({ kind: "run", by: "Crew", status: "completed" });
  expect(stepPage.parse((await readSteps(shared)).body).steps.length).toBeGreaterThan(1);

  const { result } = z.object({ result: z.string() }).parse((await read(first)).body);
  // It was run once more since.
  await api.patch(`/api-tasks?id=${id}`, { status: "dispatched" });
  await taskIn(api, id, "completed");
  expect(refusal(await make({ attempt: 3 })).status).toBe(404);
  await make({ attempt: 2 });
  const attempts = z.array(z.object({ attempt: z.int() }));
  expect(attempts.parse((await desk.get(`/runs/${id}/links`)).body).map(({ attempt }) => attempt)).toEqual([2, 1]);
  expect((await read(first)).body).toMatchObject({ result });
  expect(refusal(await make({}, other.id)).status).toBe(404);
  expect(refusal(await desk.get(`/runs/${other.id}/links`)).status).toBe(404);
});

verifies(
  "runs.links.end",
  "a link ends at its expiry, with its creator's membership, its run, and when it is revoked",
  async () => {
    const { desk, api, make, id, workspaceId } = await sharing();
    const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
    for (const expires_at of ["2020-01-01T00:00:00Z", day(366), "soon"]) {
      expect(refusal(await make({ expires_at }))).toMatchObject({ status: 400, paths: ["expires_at"] });
    }
    const short = tokenOf((await make({ expires_at: day(1) })).body);
    expect((await read(short)).status).toBe(200);
    const rows = "select * from run_links where workspace_id = $1";
    expect(JSON.stringify(await sql(service.databaseUrl, rows, [workspaceId]))).not.toContain(short);
    await sql(service.databaseUrl, "update run_links set expires_at = now() where workspace_id = $1", [workspaceId]);
    expect(refusal(await read(short)).status).toBe(404);

    const member = await addMember(service.databaseUrl, workspaceId, "member");
    const theirs = consoleOf(service, member.key);
    const left = tokenOf((await theirs.post(`/runs/${id}/links`, {})).body);
    expect((await read(left)).status).toBe(200);
    await desk.delete(`/members/${member.userId}`);
    expect(refusal(await read(left)).status).toBe(404);

    const link = made.parse((await make()).body);
    const viewer = consoleOf(service, (await addMember(service.databaseUrl, workspaceId, "viewer")).key);
    expect(listed.parse((await viewer.get(`/runs/${id}/links`)).body)).toMatchObject([{ state: "open" }, {}, {}]);
    expect(refusal(await viewer.delete(`/runs/${id}/links/${link.id}`)).status).toBe(403);
    for (const _ of [1, 2]) expect((await desk.delete(`/runs/${id}/links/${link.id}`)).status).toBe(204);
    expect(refusal(await desk.delete(`/runs/${id}/links/${id}`)).status).toBe(404);
    expect(refusal(await read(tokenOf(link))).status).toBe(404);
    const log = z.object({ items: z.array(z.looseObject({ action: z.string() })) });
    const entries = log.parse((await desk.get("/audit?kind=run")).body).items.map(({ action }) => action);
    expect(entries).toEqual(["run.link_revoked", ...Array.from({ length: 3 }, () => "run.link_created")]);

    const last = tokenOf((await make()).body);
    await api.delete(`/api-tasks?id=${id}`);
    expect(refusal(await read(last)).status).toBe(404);
    expect(await sql(service.databaseUrl, rows, [workspaceId])).toEqual([]);
  },
);

verifies("runs.links.limits", "a run has at most 20 open links, and reads by a link are limited", async () => {
  const { make, workspaceId } = await sharing();
  const tokens = [];
  for (let index = 0; index < 20; index++) tokens.push(tokenOf((await make()).body));
  expect(refusal(await make())).toMatchObject({ status: 409 });
  const [token = ""] = tokens;
  await read(token);
  const used = "update sign_in_attempts set count = 4000 where count > 0 and resets_at > now()";
  await sql(service.databaseUrl, used);
  const refused = await read(token);
  expect(refusal(refused).status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
  await sql(service.databaseUrl, "delete from sign_in_attempts");
  expect((await read(token)).status, workspaceId).toBe(200);
});

verifies("runs.links.page", "the page of a link is neither indexed nor named to other sites", async () => {
  const page = await fetch(`${service.url}/s`, { headers: { accept: "text/html" } });
  expect(page.headers.get("x-robots-tag")).toBe("noindex");
  expect(page.headers.get("referrer-policy")).toBe("no-referrer");
  expect(page.headers.get("cache-control")).toBe("no-store");
});
