import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { saying } from "../../support/providers/scripted-agents.ts";
import { answerRun } from "../../support/teams/crew.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { openForkScene } from "../../support/teams/forks.ts";
import type { ForkScene } from "../../support/teams/forks.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, taskIn } from "../../support/work.ts";

let scene: ForkScene;

beforeAll(async () => {
  scene = await openForkScene();
});

verifies(
  ["runs.fork.changed-answer", "runs.retry.from-failed-step", "budgets.ask"],
  "approval to exceed a budget, or its rejection, applies to its run alone: a fork asks again",
  async () => {
    const [brain, worker] = [await scene.player(saying("Red.")), await scene.player(saying("unused"))];
    await scene.api.patch(`/api-agents?id=${brain.id}`, { config: { approvers: "caller" } });
    const config = { brain_agent_id: brain.id, worker_agent_ids: [worker.id] };
    const team = await createTeam(scene.api, { mode: "orchestrator", config });
    await scene.post("/budgets", { scope: "team", target_id: team.id, period: "run", max_tokens: 1, on_breach: "ask" });
    const source = await startRun(scene.api, team.id);
    await runIn(scene.api, source.id, "waiting_for_input");
    await answerRun(scene.service, source.id, { approved: false });
    await runIn(scene.api, source.id, "failed");
    expect((await scene.fork(source.id, 0, { answer: { approved: true } })).text).toContain("0 answered questions");
    const again = await scene.begun(await scene.post(`/runs/${source.id}/retry`), "waiting_for_input");
    await answerRun(scene.service, again.id, { approved: true });
    await runIn(scene.api, again.id, "completed");
    await scene.begun(await scene.fork(again.id, 0), "waiting_for_input");
    expect(brain.calls()).toHaveLength(1);
  },
);

verifies(
  ["runs.retry.from-failed-step", "budgets.run-cap"],
  "a fork is capped as its run, or the task of it, is",
  async () => {
    const ada = await scene.player(saying("Red."));
    const team = await createTeam(scene.api, { config: { steps: [{ agent_id: ada.id }] } });
    const budget = { max_tokens: 1 };
    const run = await scene.api.post("/api-runs", { team_id: team.id, input_task: "Work", budget });
    const { id: taskId } = await createTask(scene.api, { assigned_team_id: team.id, budget });
    const { team_run_id: ofTask } = z
      .looseObject({ team_run_id: z.uuid() })
      .parse(await taskIn(scene.api, taskId, "failed"));
    for (const id of [(await scene.begun(run, "failed")).id, ofTask]) {
      const again = await scene.begun(await scene.post(`/runs/${id}/retry`), "failed");
      expect(again.error).toContain("The run's budget of 1 token can't cover the next model call");
    }
    expect(ada.calls()).toEqual([]);
  },
);
