import { verify } from "@octokit/webhooks-methods";
import { Client } from "pg";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiOf, consoleOf, fieldsOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { deliveriesOver, listDeliveries, readDelivery, startReceiver } from "../../support/destinations/deliveries.ts";
import type { Receiver } from "../../support/destinations/deliveries.ts";
import { eventually } from "../../support/eventually.ts";
import type { SeenRequest } from "../../support/fake-server.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { FAILING, QUICK, createAgent, createTask, taskInState, taskIn } from "../../support/work.ts";
import { addWorkspace } from "../../support/workspace.ts";

const ASKING = '[[tool:request_approval {"title":"Continue?"}]]';

let service: SharedService;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  ({ service } = await useScriptedService());
});
afterAll(async () => {
  await receiver.close();
});

interface Caller {
  readonly api: Api;
  readonly console_: Api;
}

/** A separate workspace, so that events of other tests' tasks do not arrive. */
async function newCaller(): Promise<Caller> {
  const { key } = await addWorkspace(service.databaseUrl);
  return { api: apiOf(service, key), console_: consoleOf(service, key) };
}

let paths = 0;
async function subscribe({ api }: Caller, fields: Readonly<Record<string, unknown>> = {}) {
  const path = `/h${(paths += 1)}`;
  const answer = await api.post("/api-hooks", { target_url: receiver.url + path, event: "task_completed", ...fields });
  expect([answer.status, answer.text]).toEqual([201, expect.any(String)]);
  const { id, secret } = fieldsOf(answer);
  return { path, id: String(id), secret: String(secret) };
}

const signedBy = (secret: string, { headers, body }: SeenRequest, name = "x-service-signature") =>
  verify(secret, body, String(headers[name]));

function standardOf({ headers }: SeenRequest): Record<string, string> {
  return Object.fromEntries(
    ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => [name, String(headers[name])]),
  );
}

verifies(
  ["hooks.delivery.body", "hooks.delivery.independent-of-routes", "hooks.delivery.signed"],
  "the end of a task is delivered with its id, signed, whatever the agent's output routes are",
  async () => {
    const caller = await newCaller();
    const { path, id, secret } = await subscribe(caller);
    const { id: agentId } = await createAgent(caller.api, { name: "Writer", output_route_ids: [] });
    const task = await taskInState(caller.api, { status: "completed", agentId, description: QUICK });
    await deliveriesOver(caller.console_, id);
    expect(receiver.received(path)).toEqual([
      {
        id: task.id,
        event: "task.completed",
        task_id: task.id,
        team_run_id: null,
        task_title: "Work",
        agent_name: "Writer",
        status: "completed",
        result_preview: task.result,
        result_full: task.result,
        error: null,
        timestamp: expect.any(String),
        attachments: [],
      },
    ]);
    const [request] = receiver.requests(path);
    if (request === undefined) throw new Error("Nothing was delivered.");
    expect(await signedBy(secret, request)).toBe(true);
    expect(new Webhook(secret).verify(request.body, standardOf(request))).toMatchObject({ id: task.id });
    expect(request.headers).toMatchObject({ "x-service-event": "task.completed" });
  },
);

verifies("hooks.create.filters", "a subscription may be for one agent or team only", async () => {
  const caller = await newCaller();
  const { api, console_ } = caller;
  const [mine, other] = [await createAgent(api, { name: "Mine" }), await createAgent(api, { name: "Other" })];
  const team = await createTeam(api);
  const ofAgent = await subscribe(caller, { agent_id: mine.id });
  const ofTeam = await subscribe(caller, { team_id: team.id, event: "team_run_completed" });
  const ofAll = await subscribe(caller, { event: "team_run.completed" });
  for (const { id: agentId } of [other, mine])
    await taskInState(api, { status: "completed", agentId, description: QUICK });
  const runs = [await startRun(api, (await createTeam(api)).id), await startRun(api, team.id)];
  for (const { id } of runs) await runIn(api, id, "completed");
  await deliveriesOver(console_, ofAll.id, 2);
  await deliveriesOver(console_, ofAgent.id);
  expect(receiver.received(ofAgent.path)).toMatchObject([{ agent_name: "Mine" }]);
  expect(receiver.received(ofTeam.path)).toMatchObject([{ id: runs[1]?.id, team_run_id: runs[1]?.id, task_id: null }]);
});

verifies("hooks.delivery.body", "every event is delivered once when it happens", async () => {
  const caller = await newCaller();
  const { api, console_ } = caller;
  const events = ["task_started", "task_failed", "task_waiting_for_input", "team_run_started", "team_run_failed"];
  const hooks = await Promise.all(events.map((event) => subscribe(caller, { event })));
  const { id: agentId } = await createAgent(api, { tools: ["request_approval"] });
  await taskInState(api, { status: "failed", agentId, description: FAILING });
  const asking = await createTask(api, { description: ASKING, assigned_agent_id: agentId });
  await taskIn(api, asking.id, "waiting_for_input");
  const config = { steps: [{ agent_id: agentId, instructions: FAILING }] };
  const run = await startRun(api, (await createTeam(api, { config })).id);
  await runIn(api, run.id, "failed");
  await eventually("six deliveries", async () => {
    const all = await listDeliveries(console_);
    return all.length === 6 && all.every(({ status }) => status === "success");
  });
  const bodies = hooks.map(({ path }) => receiver.received(path));
  expect(bodies).toMatchObject([
    [
      { event: "task.started", status: "running" },
      { event: "task.started", status: "running" },
    ],
    [{ event: "task.failed", status: "failed", error: expect.stringContaining("boom") }],
    [{ event: "task.waiting_for_input", id: asking.id, status: "waiting_for_input" }],
    [{ event: "team_run.started", id: run.id, status: "running" }],
    [{ event: "team_run.failed", id: run.id, status: "failed" }],
  ]);
});

verifies("hooks.delivery.attempts-and-log", "deliveries are retried after five seconds and logged", async () => {
  const caller = await newCaller();
  const { path, id } = await subscribe(caller);
  receiver.answerWith(path, 500);
  const { id: agentId } = await createAgent(caller.api);
  await taskInState(caller.api, { status: "completed", agentId, description: QUICK });
  const [delivery] = await deliveriesOver(caller.console_, id);
  const { attempts } = await readDelivery(caller.console_, delivery?.id ?? "");
  expect(attempts).toMatchObject([
    { attempt: 1, status: "failed", http_code: 500 },
    { attempt: 2, status: "failed", http_code: 500 },
  ]);
});

verifies("hooks.delivery.gone-removes", "a 410 response of the receiver removes its subscription", async () => {
  const caller = await newCaller();
  const { path, id } = await subscribe(caller);
  receiver.answerWith(path, 410);
  const { id: agentId } = await createAgent(caller.api);
  await taskInState(caller.api, { status: "completed", agentId, description: QUICK });
  expect(await deliveriesOver(caller.console_, id)).toMatchObject([
    { status: "failed", attempt_count: 1, http_code: 410 },
  ]);
  expect((await caller.api.get(`/api-hooks?id=${id}`)).status).toBe(404);
  await taskInState(caller.api, { status: "completed", agentId, description: QUICK });
  expect(await listDeliveries(caller.console_)).toHaveLength(1);
});

verifies("hooks.delete.status-204", "nothing is delivered after a subscription was deleted", async () => {
  const caller = await newCaller();
  const { path, id } = await subscribe(caller);
  const kept = await subscribe(caller);
  expect((await caller.api.delete(`/api-hooks?id=${id}`)).status).toBe(204);
  const { id: agentId } = await createAgent(caller.api);
  await taskInState(caller.api, { status: "completed", agentId, description: QUICK });
  await deliveriesOver(caller.console_, kept.id);
  expect(receiver.requests(path)).toEqual([]);
});

verifies(
  "hooks.delivery.signed",
  "after a rotation deliveries verify with the new secret and with the old one",
  async () => {
    const caller = await newCaller();
    const { path, id, secret: old } = await subscribe(caller);
    const rotated = await caller.console_.post(`/hooks/${id}/rotate`, {});
    expect(rotated.status).toBe(200);
    const secret = String(fieldsOf(rotated)["secret"]);
    expect(secret).toMatch(/^whsec_/);
    expect(secret).not.toBe(old);
    const { id: agentId } = await createAgent(caller.api);
    await taskInState(caller.api, { status: "completed", agentId, description: QUICK });
    await deliveriesOver(caller.console_, id);
    const [request] = receiver.requests(path);
    if (request === undefined) throw new Error("Nothing was delivered.");
    for (const one of [secret, old]) new Webhook(one).verify(request.body, standardOf(request));
    expect(await signedBy(secret, request)).toBe(true);
    expect(await signedBy(old, request, "x-service-signature-previous")).toBe(true);
  },
);

test("an event without a receiver notifies no process", async () => {
  const caller = await newCaller();
  await subscribe(caller, { event: "task_failed" });
  const agentId = (await createAgent(caller.api)).id;
  const heard: string[] = [];
  const ear = new Client({ connectionString: service.databaseUrl });
  await ear.connect();
  try {
    ear.on("notification", ({ payload = "" }) => heard.push(payload));
    await ear.query("listen muster_deliveries");
    await taskInState(caller.api, { agentId, status: "completed", description: QUICK });
    await taskInState(caller.api, { agentId, status: "failed", description: FAILING });
    await eventually("the delivery is announced", () => heard.length > 0);
    expect(heard).toEqual([expect.stringMatching(/^\S+ \S+$/)]);
  } finally {
    await ear.end();
  }
});
