import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { newId } from "#lib/ids.ts";
import { checkAgain, checked, createAlert } from "../../support/alerts.ts";
import type { Api } from "../../support/api.ts";
import { createRoute, deliveriesOver, readRoute, startReceiver } from "../../support/destinations/deliveries.ts";
import type { Receiver } from "../../support/destinations/deliveries.ts";
import { callOf } from "../../support/interactions.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { createTeam } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, FAILING, QUICK, createAgent, createTask, stopTask, taskIn } from "../../support/work.ts";
import { openWorkspace, sql } from "../../support/workspace.ts";

let service: TestService;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService({ env: { ALLOW_PRIVATE_URLS: "true", RUNS_PER_WORKSPACE: "1" } });
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

async function run(api: Api, agentId: string, description: string): Promise<void> {
  const { id } = await createTask(api, { description, assigned_agent_id: agentId });
  await taskIn(api, id, description === FAILING ? "failed" : "completed");
}

/** The alerts of the overview. */
async function firingIn(console_: Api): Promise<readonly unknown[]> {
  const overview = z.looseObject({ now: z.looseObject({ alerts: z.array(z.unknown()) }) });
  return overview.parse((await console_.get("/overview")).body).now.alerts;
}

/** A workspace with an agent, and a route that only alerts use. */
async function openScene() {
  const path = `/${newId()}`;
  const workspace = await openWorkspace(service);
  const { id: routeId } = await createRoute(workspace.console, receiver.url + path, { name: "On call" });
  const { id: agentId } = await createAgent(workspace.api, {
    name: "Writer",
    tools: ["wait", "request_approval"],
    output_route_ids: [],
  });
  /** What the route got, once so many deliveries are over. */
  const sent = async (count: number) => {
    await deliveriesOver(workspace.console, routeId, count);
    return receiver.received(path);
  };
  return { ...workspace, routeId, agentId, sent };
}

verifies(
  ["alerts.kinds", "alerts.min-runs", "alerts.once", "alerts.overview"],
  "a failure rate fires from its threshold and number of runs on, once, and is resolved once",
  async () => {
    const { api, console, routeId, agentId, sent, workspaceId } = await openScene();
    const rule = { kind: "failure_rate", threshold: 50, min_runs: 3, route_id: routeId, name: "Failures" };
    const id = await createAlert(console, { ...rule, agent_id: agentId });
    await run(api, agentId, FAILING);
    await run(api, agentId, FAILING);
    expect(await checkAgain(console, id)).toMatchObject({ state: "ok", last_value: null, window_minutes: 60 });

    await run(api, agentId, QUICK);
    const firing = await checkAgain(console, id);
    expect(firing).toMatchObject({ state: "firing", last_value: expect.closeTo(66.67, 1), target_name: "Writer" });
    expect(await firingIn(console)).toEqual([
      {
        id,
        name: "Failures",
        kind: "failure_rate",
        threshold: 50,
        last_value: firing.last_value,
        since: firing.since,
        watched_route_id: null,
        target_name: "Writer",
      },
    ]);
    expect(await checkAgain(console, id)).toMatchObject({ state: "firing", since: firing.since });

    for (let runs = 0; runs < 2; runs++) await run(api, agentId, QUICK);
    expect(await checkAgain(console, id)).toMatchObject({ state: "ok", last_value: 40 });
    expect(await firingIn(console)).toEqual([]);

    const [first, second, ...others] = (await sent(2)).toSorted((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
    expect(others).toEqual([]);
    const url = `${service.url}/w/${workspaceId}/runs?status=failed`;
    const text = "2 of the 3 runs that ended in the last 60 minutes failed: 66.7 %. The alert fires from 50 %.";
    expect(first).toMatchObject({
      event: "alert.firing",
      status: "firing",
      task_id: null,
      team_run_id: null,
      task_title: "Failures",
      agent_name: "Writer",
      error: null,
      result_full: `${text}\n${url}`,
      attachments: [],
      alert: { id, name: "Failures", kind: "failure_rate", state: "firing", runs: 3, failed: 2, threshold: 50, url },
    });
    expect(second).toMatchObject({ event: "alert.resolved", status: "resolved", alert: { runs: 5, failed: 2 } });
    expect(second?.result_full).toMatch(/^Resolved\. 2 of the 5 runs .* 40 %\./);

    const { id: teamId } = await createTeam(api);
    const ofTeam = await createAlert(console, { ...rule, team_id: teamId, min_runs: 1 });
    expect(await checked(console, ofTeam)).toMatchObject({ state: "ok", last_value: null });
    const ofAll = await createAlert(console, { ...rule, window_minutes: 5, threshold: 40 });
    expect(await checked(console, ofAll)).toMatchObject({ state: "firing", last_value: 40 });
  },
);

verifies("alerts.kinds", "the cost of the last hour fires, of the workspace or of one agent", async () => {
  const { console, routeId, agentId, sent, workspaceId } = await openScene();
  const spend = (usd: number, agent: string, age: string) =>
    sql(
      service.databaseUrl,
      `insert into usage_records (id, workspace_id, agent_id, attempt, provider, model, prompt_tokens,
         completion_tokens, estimated_cost_usd, billing_model, created_at)
       values (gen_random_uuid(), $1, $2, 1, 'demo', 'demo', 1, 1, $3, 'per-token', now() - $4::interval)`,
      [workspaceId, agent, usd, age],
    );
  await spend(3, agentId, "10 minutes");
  await spend(4, newId(), "59 minutes");
  await spend(90, agentId, "61 minutes");
  const rule = { kind: "cost_per_hour", route_id: routeId };
  const whole = await createAlert(console, { ...rule, threshold: 6.5 });
  expect(await checked(console, whole)).toMatchObject({ state: "firing", last_value: 7 });
  const one = await createAlert(console, { ...rule, threshold: 3.01, agent_id: agentId });
  expect(await checked(console, one)).toMatchObject({ state: "ok", last_value: 3 });
  const [notice] = await sent(1);
  expect(notice).toMatchObject({ agent_name: "Workspace", alert: { value: 7, target_name: null } });
  expect(notice?.result_full).toContain("The last 60 minutes cost $7.00. The alert fires from $6.50.");
});

verifies("alerts.kinds", "a question that waits too long fires, and its answer resolves", async () => {
  const { api, console, routeId, agentId, sent } = await openScene();
  const { id: task } = await createTask(api, {
    description: callOf("request_approval", { title: "Publish?", timeoutMs: 3_600_000 }),
    assigned_agent_id: agentId,
  });
  await taskIn(api, task, "waiting_for_input");
  const id = await createAlert(console, { kind: "question_age", threshold: 10, route_id: routeId, agent_id: agentId });
  expect(await checked(console, id)).toMatchObject({ state: "ok" });
  await sql(
    service.databaseUrl,
    "update task_questions set asked_at = now() - interval '12 minutes' where subject_id = $1",
    [task],
  );
  expect(await checkAgain(console, id)).toMatchObject({ state: "firing" });
  const [asked] = await sql<{ id: string }>(
    service.databaseUrl,
    "select interaction_id as id from task_questions where subject_id = $1",
    [task],
  );
  const interactionId = asked?.id;
  await console.post(`/tasks/${task}/answer`, { interactionId, approved: true });
  await taskIn(api, task, "completed");
  expect(await checkAgain(console, id)).toMatchObject({ state: "ok", last_value: null });
  const texts = (await sent(2)).map(({ result_full: text }) => text).toSorted();
  expect(texts[0]).toContain("Resolved. No question is open.");
  expect(texts[1]).toContain("The oldest open question waits for 12 minutes. The alert fires from 10 minutes.");
});

verifies(
  ["alerts.kinds", "alerts.paused"],
  "a run that waits too long in the queue fires, but not while new work is paused",
  async () => {
    const { api, console, routeId, agentId, sent, workspaceId } = await openScene();
    const { id: running } = await createTask(api, { description: ENDLESS, assigned_agent_id: agentId });
    await taskIn(api, running, "running");
    const { id: queued } = await createTask(api, { description: QUICK, assigned_agent_id: agentId });
    const id = await createAlert(console, { kind: "queue_age", threshold: 5, route_id: routeId });
    expect(await checked(console, id)).toMatchObject({ state: "ok", last_value: expect.any(Number) });
    // The time of a job is in its id.
    const old = newId(Date.now() - 400_000);
    await sql(service.databaseUrl, "update jobs set id = $1 where subject_id = $2", [old, queued]);
    expect(await checkAgain(console, id)).toMatchObject({ state: "firing" });
    await console.patch("/workspace", { paused: true });
    expect(await checkAgain(console, id)).toMatchObject({ state: "ok", last_value: null });
    const texts = (await sent(2)).map(({ result_full: text }) => text).toSorted();
    expect(texts[0]).toContain("Resolved. No run waits in the queue.");
    expect(texts[1]).toContain("The oldest queued run waits for 6 minutes.");
    expect(texts[1]).toContain(`/w/${workspaceId}/runs?status=dispatched`);
    await console.patch("/workspace", { paused: false });
    await Promise.all([running, queued].map((task) => stopTask(api, task)));
  },
);

verifies("alerts.kinds", "a route whose deliveries fail fires at another route", async () => {
  const { api, console, routeId, sent, workspaceId } = await openScene();
  const path = `/${newId()}`;
  receiver.answerWith(path, 500);
  const failing = await createRoute(console, receiver.url + path, { name: "Tickets", retry_delays: [] });
  const { id: agentId } = await createAgent(api, { output_route_ids: [failing.id] });
  const rule = { kind: "route_failing", threshold: 2, route_id: routeId };
  const one = await createAlert(console, { ...rule, watched_route_id: failing.id });
  const any = await createAlert(console, { ...rule, route_id: null });
  for (const count of [1, 2]) {
    await run(api, agentId, QUICK);
    await deliveriesOver(console, failing.id, count);
  }
  expect(await readRoute(console, failing.id)).toMatchObject({ failures_in_row: 2 });
  expect(await checkAgain(console, one)).toMatchObject({ state: "firing", last_value: 2, target_name: "Tickets" });
  expect(await checkAgain(console, any)).toMatchObject({ state: "firing", last_value: 2 });
  receiver.answerWith(path, 200);
  await run(api, agentId, QUICK);
  await deliveriesOver(console, failing.id, 3);
  expect(await checkAgain(console, one)).toMatchObject({ state: "ok", last_value: 0 });
  const texts = (await sent(2)).map(({ result_full: text }) => text).toSorted();
  expect(texts[1]).toContain("Resolved. All deliveries arrive.");
  expect(texts[0]).toContain('2 deliveries of "Tickets" failed in a row. The alert fires from 2 deliveries.');
  expect(texts[0]).toContain(`/w/${workspaceId}/destinations/${failing.id}`);
});
