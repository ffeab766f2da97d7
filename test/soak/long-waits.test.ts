import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { consoleOf, refusal } from "../support/api.ts";
import { createRoute, deliveriesOver, listDeliveries, startReceiver } from "../support/destinations/deliveries.ts";
import type { Receiver } from "../support/destinations/deliveries.ts";
import { eventually } from "../support/eventually.ts";
import { questionOf, respond } from "../support/interactions.ts";
import { inTurns, saying, startScriptedService } from "../support/providers/scripted-agents.ts";
import type { Move, ScriptedService } from "../support/providers/scripted-agents.ts";
import { taskEnd } from "../support/runs.ts";
import { createTeam, readRun, runIn, startRun } from "../support/teams.ts";
import { verifies } from "../support/verifies.ts";
import { createTask } from "../support/work.ts";
import { sql } from "../support/workspace.ts";

/** What a task and a team run may take, in seconds. */
const RUN_LIMIT = 10;
/** More than a receiver's slots: some wait until others have timed out. */
const HANGING = 40;

let scene: ScriptedService;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  scene = await startScriptedService({
    ALLOW_PRIVATE_URLS: "true",
    DELIVERY_TIMEOUT: "3",
    RUN_TIMEOUT: String(RUN_LIMIT),
    TASK_TIMEOUT: String(RUN_LIMIT),
  });
});
afterAll(async () => {
  await scene.stop();
  await receiver.close();
});

verifies("interactions.wait.not-run-time", "a task may wait for longer than a run may take", async () => {
  const ask: Move = (reply) => reply.callTool("request_approval", { title: "Go on?", timeoutMs: 60_000 });
  const { id: agentId } = await scene.player(inTurns(ask, ask), { tools: ["request_approval"] });
  const { id: taskId } = await createTask(scene.api, { assigned_agent_id: agentId });
  for (const nth of [1, 2]) {
    const { interactionId } = await questionOf(scene.service, { agentId, taskId }, nth);
    const longEnough = `select from task_questions where subject_id = $1 and asked_at < now() - interval '${RUN_LIMIT}.1 s'`;
    const { databaseUrl } = scene.service;
    await eventually("a long wait", async () => (await sql(databaseUrl, longEnough, [taskId])).length === 1);
    await respond(scene.service, { agentId, taskId }, { interactionId, approved: true });
  }
  expect(await taskEnd(scene.service, taskId)).toMatchObject({ status: "completed" });
});

verifies("runs.modes.time-limit", "a team run that takes too long fails, and its calls are aborted", async () => {
  const slow = await scene.player(() => new Promise<void>(() => {}));
  const other = await scene.player(saying("Enough."));
  const team = await createTeam(scene.api, { mode: "collaboration", config: { agent_ids: [slow.id, other.id] } });
  const run = await runIn(scene.api, (await startRun(scene.api, team.id)).id, "failed");
  expect(run.error).toBe(`The run took longer than ${RUN_LIMIT} s.`);
  await slow.calls()[0]?.gone;
  const last = "select event from task_log where log_id = $1 order by seq desc limit 1";
  expect(await sql(scene.service.databaseUrl, last, [run.id])).toMatchObject([{ event: { code: "RUN_TIMEOUT" } }]);
  expect(await readRun(scene.api, run.id)).toMatchObject({ status: "failed" });
});

verifies(
  "envelope.idempotency.lock-named",
  "a keyed request that waits too long for a record is 503, not a conflict of its key",
  async () => {
    const task = await createTask(scene.api, { title: "Held" });
    const held = new Client({ connectionString: scene.service.databaseUrl });
    await held.connect();
    try {
      await held.query("begin");
      // Whatever is created in the workspace refers to it.
      await held.query("select from workspaces where id = (select workspace_id from tasks where id = $1) for update", [
        task.id,
      ]);
      const answer = refusal(await scene.api.post("/api-tasks", { title: "Waits" }, { "idempotency-key": "waits" }));
      expect(answer).toMatchObject({ status: 503, code: "unavailable" });
      expect(answer.message).toContain("changing the same records");
    } finally {
      await held.end();
    }
  },
);

test("a receiver that hangs delays no other", async () => {
  const desk = consoleOf(scene.service, scene.service.keys.api);
  receiver.answerWith("/slow", 0);
  const hanging = await createRoute(desk, `${receiver.url}/slow`, { retry_delays: [] });
  const { id } = await createRoute(desk, `${receiver.url}/fast`);
  for (let count = 0; count < HANGING; count++) await desk.post(`/routes/${hanging.id}/test`, {});
  await desk.post(`/routes/${id}/test`, {});
  await deliveriesOver(desk, id);
  const waiting = await listDeliveries(desk, `route_id=${hanging.id}&limit=200`);
  expect(waiting.filter(({ status }) => status === "pending").length).toBeGreaterThan(0);
  await deliveriesOver(desk, hanging.id, HANGING);
});
