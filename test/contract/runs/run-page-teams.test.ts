import { beforeAll, expect } from "vitest";
import { consoleOf, fieldsOf } from "../../support/api.ts";
import { inTurns, saying, useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { Move, ScriptedAgent, ScriptedWorkspace } from "../../support/providers/scripted-agents.ts";
import { askRun, outline, stepOf, stepsOf } from "../../support/run-steps.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, taskIn } from "../../support/work.ts";

let scene: ScriptedWorkspace;
const players: Record<string, ScriptedAgent> = {};

beforeAll(async () => {
  scene = await useScriptedService();
  for (const name of ["Anna", "Bert", "Carl"]) players[name] = await scene.player(saying(`${name} says so`), { name });
});

function idOf(name: string): string {
  return players[name]?.id ?? "";
}

verifies(
  ["run-page.steps.order", "run-page.head.row"],
  "a pipeline's task shows steps, branches and merge with their calls, under task's and run's id",
  async () => {
    const branches = { type: "fan_out", parallel_agents: [idOf("Anna"), idOf("Bert")], merge_agent_id: idOf("Carl") };
    const steps = [
      { agent_id: idOf("Anna"), step_name: "Draft" },
      { ...branches, step_name: "Review" },
    ];
    const team = await createTeam(scene.api, { name: "Press", mode: "pipeline", config: { steps } });
    const task = await createTask(scene.api, { title: "Report", assigned_team_id: team.id });
    await taskIn(scene.api, task.id, "completed");
    const head = fieldsOf(await askRun(scene.service, task.id));
    const runId = String(head["log_id"]);
    expect(head).toMatchObject({
      id: task.id,
      kind: "task",
      team: { id: team.id, name: "Press" },
      agent: null,
      tokens: 72,
      agents: { length: 3 },
      messages: expect.arrayContaining([expect.objectContaining({ message_type: "handoff", run_id: runId })]),
    });
    const rows = await stepsOf(scene.service, task.id);
    expect(outline(rows)).toEqual([
      "step Draft completed",
      "  model gpt-4o completed",
      "step Review completed",
      "  branch Review: Anna (1 of 2) completed",
      "    model gpt-4o completed",
      "  branch Review: Bert (2 of 2) completed",
      "    model gpt-4o completed",
      "  merge Review: Carl (merge) completed",
      "    model gpt-4o completed",
    ]);
    expect(rows[0]).toMatchObject({ key: "step:0:attempt:0", agent_id: idOf("Anna") });
    expect(await stepsOf(scene.service, runId)).toEqual(rows);
    const call = rows.find(({ key }) => key === "step:1:attempt:0:merge/model:0");
    const step = await stepOf(scene.service, runId, call?.key ?? "");
    const got = players["Carl"]?.calls()[0]?.body.messages.map(({ content }) => content);
    expect(step.request?.messages.map((message) => "content" in message && message.content)).toEqual(got);
  },
);

const delegate =
  ({ id }: ScriptedAgent, instruction: string): Move =>
  (reply) =>
    reply.callTool("delegate_to_worker", { agent_id: id, instruction });

verifies("run-page.steps.order", "an orchestrator's delegations and their revisions are below its brain", async () => {
  const worker = await scene.player(saying("It rains."), { name: "Worker" });
  const moves: Move[] = [
    delegate(worker, "Describe rain."),
    (reply) => reply.callTool("request_revision", { delegation_id: "d1", feedback: "Shorter." }),
    (reply) => reply.callTool("accept_result", { delegation_id: "d1", score: 0.9 }),
    (reply) => reply.callTool("final_answer", { output: "Rain." }),
  ];
  const brain = await scene.player(inTurns(...moves), { name: "Brain" });
  const config = { brain_agent_id: brain.id, worker_agent_ids: [worker.id] };
  const team = await createTeam(scene.api, { mode: "orchestrator", config });
  const run = await startRun(scene.api, team.id, "Write about rain.");
  await runIn(scene.api, run.id, "completed");
  const rows = await stepsOf(scene.service, run.id);
  expect(outline(rows).map((line) => line.replace(/(turn) .*? (completed)/, "$1 $2"))).toEqual([
    "turn completed",
    "  model gpt-4o completed",
    "  delegation d1: Worker completed",
    "    model gpt-4o completed",
    "    revision d1: Worker (revision 1) completed",
    "      model gpt-4o completed",
    "  model gpt-4o completed",
    "  model gpt-4o completed",
    "  model gpt-4o completed",
  ]);
  expect(fieldsOf(await askRun(scene.service, run.id))).toMatchObject({
    id: run.id,
    kind: "run",
    log_id: run.id,
    result: "Rain.",
    delegations: [{ key: "d1", revisions: 1, score: 0.9 }],
  });
});

verifies(
  "run-page.steps.order",
  "a discussion shows its turns, and a fork marks the ones from the original run",
  async () => {
    const config = { agent_ids: [idOf("Anna"), idOf("Bert")], max_turns: 2, speaker_selection: "round_robin" };
    const team = await createTeam(scene.api, { mode: "collaboration", config });
    const run = await startRun(scene.api, team.id, "Talk.");
    await runIn(scene.api, run.id, "completed");
    expect(outline(await stepsOf(scene.service, run.id))).toEqual([
      "turn Turn 1: Anna completed",
      "  model gpt-4o completed",
      "turn Turn 2: Bert completed",
      "  model gpt-4o completed",
    ]);
    const forked = fieldsOf(
      await consoleOf(scene.service, scene.service.keys.api).post(`/runs/${run.id}/fork`, { from_step: 1 }),
    );
    const id = String(forked["id"]);
    await runIn(scene.api, id, "completed");
    const rows = await stepsOf(scene.service, id);
    expect(outline(rows)).toEqual([
      "turn Turn 1: Anna completed",
      "turn Turn 2: Bert completed",
      "  model gpt-4o completed",
    ]);
    expect(rows[0]).toMatchObject({ key: "turn:0", taken_over: true });
    expect(fieldsOf(await askRun(scene.service, id))).toMatchObject({ forked_from: { id: run.id, from_step: 1 } });
    expect(fieldsOf(await askRun(scene.service, run.id))).toMatchObject({ forks: [{ id, kind: "run", from_step: 1 }] });
  },
);
