import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf, consoleOf, fieldsOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { environmentOf, runMuster } from "../../support/muster.ts";
import { runJanitor } from "../../support/run-janitor.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { ofRun, readStream, readToEnd } from "../../support/sse-client.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, ENDLESS, FAILING, QUICK, stopTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

let service: TestService;
let api: Api;
let agentId: string;

beforeAll(async () => {
  service = await startService();
  api = apiOf(service, service.keys.api);
  agentId = (await createAgent(api, { model: "demo", tools: ["wait"] })).id;
});

afterAll(() => service.stop());

verifies(
  "engine.retention.stream-ends",
  "after the retention, a stream has the run's first and last event, with the numbers that they had",
  async () => {
    const ended = [
      await run(QUICK, "completed"),
      await run(FAILING, "failed"),
      await run(ENDLESS, "running").then((taskId) => stopTask(api, taskId).then(() => taskId)),
    ].map((taskId) => ({ agentId, taskId }));
    const team = await createTeam(api, { mode: "pipeline", config: { steps: [{ agent_id: agentId }] } });
    const teamRun = await startRun(api, team.id, QUICK);
    await runIn(api, teamRun.id, "completed");
    const streams = [...ended, ofRun(teamRun.id)];
    const before = await Promise.all(streams.map((stream) => readToEnd(service, stream)));
    await purge();

    for (const [index, stream] of streams.entries()) {
      const whole = before[index] ?? [];
      const left = await readToEnd(service, stream);
      expect(left.map(({ id }) => id)).toEqual([1, whole.length]);
      expect(left[0]?.event).toMatchObject({ type: "RUN_STARTED", runId: stream.taskId });
      // Who used what was in the events that are gone.
      const { timestamp: _, usage: __, ...last } = z.looseObject({}).parse(whole.at(-1)?.event);
      expect(left.at(-1)?.event).toMatchObject(last);
      expect(await readToEnd(service, { ...stream, lastEventId: 1 })).toEqual(left.slice(1));
      expect((await readStream(service, { ...stream, lastEventId: whole.length })).response.status).toBe(204);
    }
    const env = environmentOf(service);
    const [completed = "", failed] = ended.map(({ taskId }) => taskId);
    await sql(service.databaseUrl, "update runs set finish_reason = 'length' where id = $1", [completed]);
    const cut = await readToEnd(service, { agentId, taskId: completed });
    expect(cut.at(-1)?.event).toMatchObject({ type: "RUN_FINISHED", finishReason: "length" });
    const watched = await runMuster(["tasks", "watch", completed], { env });
    expect([watched.code, watched.stdout]).toEqual([0, expect.stringContaining("done")]);
    expect(await runMuster(["tasks", "watch", failed ?? ""], { env })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("boom"),
    });
  },
);

verifies("run-page.retention.purged", "after the retention the head has the code of the failure", async () => {
  const taskId = await run(FAILING, "failed");
  await purge();
  const head = fieldsOf(await consoleOf(service, service.keys.api).get(`/runs/${taskId}`));
  expect(head).toMatchObject({
    status: "failed",
    error_code: "MODEL_ERROR",
    attempts: [{ error_code: "MODEL_ERROR" }],
  });
});

verifies(
  "runs.retry.purged",
  "after the retention a run is not tried again from its first call, as if none had been answered",
  async () => {
    const failed = await run(FAILING, "failed");
    const cancelled = await run(ENDLESS, "running");
    await stopTask(api, cancelled);
    const begin = (id: string, action: string, body: object) =>
      consoleOf(service, service.keys.api).post(`/runs/${id}/${action}`, body);
    await purge();

    const says = { error: { message: "The steps of attempt 1 of this task are no longer stored; run it again." } };
    for (const id of [failed, cancelled]) {
      expect(fieldsOf(await consoleOf(service, service.keys.api).get(`/runs/${id}`))).toMatchObject({
        details: "purged",
      });
      expect(await begin(id, "retry", {})).toMatchObject({ status: 409, body: says });
      expect(await begin(id, "fork", { from_step: 1 })).toMatchObject({ status: 409, body: says });
    }
    expect(await begin(failed, "fork", { from_step: 0 })).toMatchObject({ status: 201 });
  },
);

verifies("runs.retry.purged", "a task that was cancelled before it started is tried again at any time", async () => {
  const desk = consoleOf(service, service.keys.api);
  const later = new Date(Date.now() + 3_600_000).toISOString();
  const { id } = await createTask(api, { title: "Later", assigned_agent_id: agentId, scheduled_for: later });
  await stopTask(api, id);
  await purge();
  expect(fieldsOf(await desk.get(`/runs/${id}`))).toMatchObject({ status: "cancelled", details: "kept" });
  expect(await desk.post(`/runs/${id}/retry`, {})).toMatchObject({ status: 201 });
});

async function run(description: string, status: string): Promise<string> {
  const { id } = await createTask(api, { title: "Old", description, assigned_agent_id: agentId });
  await taskIn(api, id, status);
  return id;
}

/** Ages all events and steps, and does once what a process does every ten minutes. */
async function purge(): Promise<void> {
  for (const table of ["task_events", "task_event_pages", "run_steps"]) {
    await sql(service.databaseUrl, `update ${table} set created_at = created_at - interval '38 days'`);
  }
  await runJanitor(service);
}
