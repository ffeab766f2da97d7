import { pino } from "pino";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { openDatabase } from "#db/open-database.ts";
import { createLogPacker } from "#engine/upkeep/log-packer.ts";
import { consoleOf } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { inTurns, saying, startScriptedService } from "../../support/providers/scripted-agents.ts";
import type { ScriptedAgent, ScriptedService } from "../../support/providers/scripted-agents.ts";
import { REFUSAL } from "../../support/teams/crew.ts";
import { askRun, outline, stepOf, stepsOf } from "../../support/run-steps.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, stopTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const SECOND = "1";

let scene: ScriptedService;
let impatient: ScriptedService;
let done: ScriptedAgent;
let hanging: ScriptedAgent;

beforeAll(async () => {
  scene = await startScriptedService();
  impatient = await startScriptedService({ TASK_TIMEOUT: SECOND, RUN_TIMEOUT: SECOND });
  done = await scene.player(saying("done"), { name: "Done" });
  hanging = await scene.player(() => undefined, { name: "Hangs" });
});
afterAll(async () => {
  await scene.stop();
  await impatient.stop();
});

verifies(
  ["run-page.steps.stopped", "runs.pipeline.fan-out-fail-fast"],
  "a fan-out that fails early still shows all its branches, also from a packed log",
  async () => {
    const quick = await Promise.all(Array.from({ length: 5 }, () => scene.player(saying("done"))));
    const stuck = await Promise.all(Array.from({ length: 14 }, () => scene.player(() => undefined)));
    const others = async () => (await finished(id)) === 5 && stuck.every((agent) => agent.calls().length === 1);
    const fails = await scene.player(async (_call, reply) => {
      await eventually("the other branches have called", others);
      reply.refuse(400, REFUSAL);
    });
    const agents = [fails, ...quick, ...stuck];
    const step = { type: "fan_out", step_name: "Views", parallel_agents: agents.map((agent) => agent.id) };
    const team = await createTeam(scene.api, { mode: "pipeline", config: { steps: [step] } });
    const { id } = await startRun(scene.api, team.id, "Look.");
    await runIn(scene.api, id, "failed");

    const rows = await stepsOf(scene.service, id);
    const branches = rows.filter(({ kind }) => kind === "branch");
    const count = (wanted: string) => branches.filter(({ status }) => status === wanted).length;
    expect(["completed", "failed", "cancelled"].map(count)).toEqual([5, 1, 14]);
    expect(rows[0]).toMatchObject({ kind: "step", label: "Views", status: "failed" });
    expect(branches.find(({ status }) => status === "failed")).toMatchObject({ error_code: "MODEL_ERROR" });
    const stopped = rows.filter(({ kind, status }) => kind === "model" && status === "cancelled");
    expect(stopped).toHaveLength(14);
    for (const { started_at: from = 0, ended_at: to = 0 } of stopped) expect(to).toBeGreaterThanOrEqual(from);
    expect(await stepOf(scene.service, id, stopped[0]?.key ?? "")).toMatchObject({ status: "cancelled", reply: null });

    await pack();
    const pages = await sql(scene.service.databaseUrl, "select from task_event_pages where log_id = $1", [id]);
    expect(pages.length).toBeGreaterThan(0);
    expect(outline(await stepsOf(scene.service, id))).toEqual(outline(rows));
  },
);

verifies("run-page.steps.stopped", "a cancelled run shows the calls that were in progress as cancelled", async () => {
  const step = { type: "fan_out", step_name: "Views", parallel_agents: [done.id, hanging.id] };
  const team = await createTeam(scene.api, { mode: "pipeline", config: { steps: [step] } });
  const { id } = await startRun(scene.api, team.id, "Look.");
  await eventually("one branch is done", async () => (await finished(id)) === 1);
  await consoleOf(scene.service, scene.service.keys.api).post("/runs/bulk", { action: "cancel", ids: [id], expect: 1 });
  await runIn(scene.api, id, "cancelled");
  expect(outline(await stepsOf(scene.service, id))).toEqual([
    "step Views cancelled",
    "  branch Views: Done (1 of 2) completed",
    "    model gpt-4o completed",
    "  branch Views: Hangs (2 of 2) cancelled",
    "    model  cancelled",
  ]);

  const before = hanging.calls().length;
  const { id: taskId } = await createTask(scene.api, { title: "Wait", assigned_agent_id: hanging.id });
  await eventually("the call", async () => hanging.calls().length > before);
  await stopTask(scene.api, taskId);
  const [call, ...others] = await stepsOf(scene.service, taskId);
  expect([call, others]).toMatchObject([{ key: "model:0", status: "cancelled", ended_at: expect.any(Number) }, []]);
});

verifies(
  "run-page.steps.stopped",
  "a tool that runs after its approval is one step, and is cancelled in it",
  async () => {
    const player = await scene.player(
      inTurns((reply) => reply.callTool("wait", { seconds: 60 }, "call_1")),
      { tools: ["wait"], config: { approvers: "caller", requires_approval: ["wait"] } },
    );
    const { id } = await createTask(scene.api, { title: "Wait", assigned_agent_id: player.id });
    await taskIn(scene.api, id, "waiting_for_input");
    const question = z.looseObject({ question: z.looseObject({ interactionId: z.string() }) });
    const { interactionId } = question.parse((await askRun(scene.service, id)).body).question;
    const steps = (status: string) => ["model gpt-4o completed", `tool wait ${status}`, "question Approve completed"];
    const shown = async () =>
      outline(await stepsOf(scene.service, id)).map((line) => line.replace(/^(question) .*? (\w+)$/, "$1 Approve $2"));
    await consoleOf(scene.service, scene.service.keys.api).post(`/runs/${id}/answer`, {
      interactionId,
      approved: true,
    });
    await expect.poll(shown).toEqual(steps("running"));
    await stopTask(scene.api, id);
    expect(await shown()).toEqual(steps("cancelled"));
  },
);

verifies(
  "run-page.steps.stopped",
  "a run over its time limit fails in the calls that were in progress",
  async () => {
    const quick = await impatient.player(saying("done"), { name: "Quick" });
    const stuck = await impatient.player(() => undefined, { name: "Stuck" });
    const { id } = await createTask(impatient.api, { title: "Wait", assigned_agent_id: stuck.id });
    const step = { type: "fan_out", step_name: "Views", parallel_agents: [quick.id, stuck.id] };
    const team = await createTeam(impatient.api, { mode: "pipeline", config: { steps: [step] } });
    const run = await startRun(impatient.api, team.id, "Look.");
    await taskIn(impatient.api, id, "failed");
    await runIn(impatient.api, run.id, "failed");
    const [call, ...others] = await stepsOf(impatient.service, id);
    expect([call, others]).toMatchObject([{ key: "model:0", status: "failed", error_code: "TASK_TIMEOUT" }, []]);
    const rows = await stepsOf(impatient.service, run.id);
    expect(outline(rows)).toEqual([
      "step Views failed",
      "  branch Views: Quick (1 of 2) completed",
      "    model gpt-4o completed",
      "  branch Views: Stuck (2 of 2) failed",
      "    model  failed",
    ]);
    expect(rows.at(-1)).toMatchObject({ error_code: "RUN_TIMEOUT" });
  },
  { tags: "slow" },
);

async function finished(id: string): Promise<number> {
  const ends = "select from task_log where log_id = $1 and event->>'type' = 'STEP_FINISHED'";
  return (await sql(scene.service.databaseUrl, ends, [id])).length;
}

async function pack(): Promise<void> {
  const db = openDatabase({ url: scene.service.databaseUrl, poolSize: 1, onIdleError: () => undefined });
  await createLogPacker({ db, log: pino({ level: "silent" }) }).runOnce();
  await db.close();
}

verifies("run-page.steps.unanswered", "a question without an answer is a step that ends with its run", async () => {
  const asks = (timeoutMs: number) =>
    scene.player(
      inTurns((reply) => reply.callTool("request_input", { title: "Which colour?", timeoutMs }, "ask")),
      { tools: ["request_input"], name: "Asks" },
    );
  const [left, late] = await Promise.all([asks(60_000), asks(1_000)]);
  const step = { type: "fan_out", step_name: "Views", parallel_agents: [late.id, done.id] };
  const team = await createTeam(scene.api, { mode: "pipeline", config: { steps: [step] } });
  const run = await startRun(scene.api, team.id, "Look.");
  const { id } = await createTask(scene.api, { title: "Leave it", assigned_agent_id: left.id });
  await taskIn(scene.api, id, "waiting_for_input");
  const open = (await stepsOf(scene.service, id)).find(({ kind }) => kind === "question");
  await stopTask(scene.api, id);
  const steps = await stepsOf(scene.service, id);
  expect(outline(steps)).toEqual([
    "model gpt-4o completed",
    "tool request_input cancelled",
    "question Which colour? cancelled",
  ]);
  expect(steps.at(-1)).toEqual({ ...open, status: "cancelled", ended_at: expect.any(Number) });
  expect(await stepOf(scene.service, id, open?.key ?? "")).toMatchObject({
    question: { prompt: { title: "Which colour?" } },
    answer: null,
    answered_at: null,
  });

  await runIn(scene.api, run.id, "failed");
  const rows = await stepsOf(scene.service, run.id);
  expect(outline(rows)).toEqual([
    "step Views failed",
    "  branch Views: Asks (1 of 2) failed",
    "    model gpt-4o completed",
    "    tool request_input failed",
    "    question Which colour? failed",
    expect.stringMatching(/^ {2}branch Views: .*\(2 of 2\) completed$/),
    "    model gpt-4o completed",
  ]);
  const missed = rows.find(({ kind }) => kind === "question");
  expect(missed?.error_code).toBe("INTERACTION_TIMEOUT");
  expect((missed?.ended_at ?? 0) - (missed?.started_at ?? 0)).toBeGreaterThanOrEqual(1_000);
});
