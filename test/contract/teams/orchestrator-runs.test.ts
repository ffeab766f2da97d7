import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf, fieldsOf } from "../../support/api.ts";
import { inTurns, saying, toolResults } from "../../support/providers/scripted-agents.ts";
import { eventually } from "../../support/eventually.ts";
import { runIn } from "../../support/teams.ts";
import { TOKENS_PER_CALL, accept, both, delegate, finish, openOrchestraScene } from "../../support/teams/orchestra.ts";
import type { OrchestraScene } from "../../support/teams/orchestra.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, readTask } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

let scene: OrchestraScene;

beforeAll(async () => {
  scene = await openOrchestraScene();
});

verifies(
  ["runs.orchestrator.delegate", "runs.modes.usage-per-step"],
  "a run waits with a worker that waits for a person, and asks no other worker again after the answer",
  async () => {
    const asking = await scene.player(
      inTurns((reply) => reply.callTool("request_approval", { title: "May I?" })),
      { tools: ["request_approval"] },
    );
    const other = await scene.player(saying("Other"));
    const moves = [both(delegate(asking, "Ask first."), delegate(other, "Work.")), accept("d2", 1), finish("Both")];
    const { brain, run } = await scene.play({ moves, workers: [asking, other] });
    const waiting = await runIn(scene.api, run.id, "waiting_for_input");
    expect(waiting["delegations"]).toMatchObject([{ status: "running" }, { status: "completed", result: "Other" }]);
    const { interactionId } = z.looseObject({ interactionId: z.string() }).parse(waiting["interaction"]);
    const answer = await consoleOf(scene.service, scene.service.keys.api).post(`/runs/${run.id}/answer`, {
      interactionId,
      approved: true,
    });
    expect(answer.status).toBe(200);
    const ended = await runIn(scene.api, run.id, "completed");
    expect(ended["delegations"]).toMatchObject([
      { status: "completed", result: "done" },
      { status: "accepted", result: "Other" },
    ]);
    expect(ended["messages"]).toHaveLength(5);
    expect([brain, asking, other].map((each) => each.calls().length)).toEqual([3, 2, 1]);
  },
);

verifies(
  "runs.orchestrator.worker-failure",
  "the brain handles a failed worker, and the others' work stays",
  async () => {
    const broken = await scene.player((_call, reply) => reply.refuse(400, "no such thing"));
    const sound = await scene.player(saying("Sound"));
    const moves = [both(delegate(broken, "Work."), delegate(sound, "Work.")), accept("d1", 1)];
    const { brain, run } = await scene.playToEnd({ moves, workers: [broken, sound] });
    const [failed, worked, unaccepted] = toolResults(brain.calls()[2]);
    expect(failed).toMatch(/d1 failed: .*no such thing/);
    expect(worked).toContain("Sound");
    expect(unaccepted).toContain("d1 has failed");
    expect(run["delegations"]).toMatchObject([
      { status: "failed", result: null, error: expect.stringContaining("no such thing") },
      { status: "completed", result: "Sound", error: null },
    ]);
    expect(run["messages"]).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ message_type: "system", sender_agent_id: broken.id, receiver_agent_id: brain.id }),
      ]),
    );
  },
);

verifies(
  "runs.modes.usage-per-step",
  "each model call of brain and workers is a record of the run's usage",
  async () => {
    const workers = [await scene.player(saying("A")), await scene.player(saying("B"))];
    const moves = [both(...workers.map((worker) => delegate(worker, "Work."))), finish("AB")];
    const { brain, run } = await scene.playToEnd({ moves, workers });
    expect(run["usage"]).toMatchObject({ prompt_tokens: 44, completion_tokens: 28, total_tokens: 4 * TOKENS_PER_CALL });
    const records = await sql<{ agent_id: string; step: number }>(
      scene.service.databaseUrl,
      "select agent_id, step from usage_records where team_run_id = $1 order by agent_id, step",
      [run.id],
    );
    const expected = [brain.id, brain.id, ...workers.map(({ id }) => id)].toSorted();
    expect(records.map((record) => record.agent_id)).toEqual(expected);
  },
);

verifies(
  ["runs.modes.cancel", "engine.cancel.aborts-child-runs"],
  "cancelling a run stops all its branches immediately",
  async () => {
    const workers = await Promise.all([1, 2, 3].map(() => scene.player(() => {})));
    const { run, brain } = await scene.play({
      moves: [both(...workers.map((worker) => delegate(worker, "Hang.")))],
      workers,
    });
    const calls = await Promise.all(workers.map((worker) => eventually("the worker's call", () => worker.calls()[0])));
    expect(fieldsOf(await scene.api.patch(`/api-runs?id=${run.id}`, { status: "cancelled" }))["status"]).toBe(
      "cancelled",
    );
    await Promise.all(calls.map(({ gone }) => gone));
    expect(brain.calls()).toHaveLength(1);
    expect(await runIn(scene.api, run.id, "cancelled")).toMatchObject({ output: null });
  },
);

verifies("runs.modes.messages", "a task that is given to such a team takes over its output", async () => {
  const worker = await scene.player(saying("It rains."));
  const { teamId } = await scene.play({
    moves: [delegate(worker, "Describe rain."), finish("Rain")],
    workers: [worker],
  });
  const task = await createTask(scene.api, { title: "Rain", assigned_team_id: teamId });
  const ended = await eventually("the task's end", async () => {
    const now = await readTask(scene.api, task.id);
    return now.status === "completed" && now;
  });
  expect(ended.result).toBe("Rain");
  const run = await runIn(scene.api, String(ended["team_run_id"]), "completed");
  expect(run["messages"]).toMatchObject([{ message_type: "delegation" }, { message_type: "result" }]);
});
