import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { saying, toolResults } from "../../support/providers/scripted-agents.ts";
import { runIn } from "../../support/teams.ts";
import { accept, delegate, finish, openOrchestraScene } from "../../support/teams/orchestra.ts";
import type { OrchestraScene } from "../../support/teams/orchestra.ts";
import { verifies } from "../../support/verifies.ts";

let scene: OrchestraScene;
let desk: Api;

beforeAll(async () => {
  scene = await openOrchestraScene();
  desk = consoleOf(scene.service, scene.service.keys.api);
});

const approval = z.looseObject({ reason: z.string(), costUsd: z.number() });
const page = z.object({ items: z.array(z.object({ id: z.string(), request: z.looseObject({ approval }) })) });

/** Answers the open question of a run; returns what it showed. */
async function answer(runId: string, approved: boolean): Promise<z.output<typeof approval>> {
  const asked = await eventually("the run asks", async () => {
    return page.parse((await desk.get(`/questions?run_id=${runId}`)).body).items[0];
  });
  const sent = await desk.post(`/tasks/${runId}/answer`, { interactionId: asked.id, approved });
  expect([sent.status, sent.text]).toEqual([200, expect.any(String)]);
  return asked.request.approval;
}

const asksOwner = { ask: { role: "owner" }, starter: true, keys: true };

verifies("approvals.teams", "the first delegation asks, and those after it do not, also on resume", async () => {
  const worker = await scene.player(saying("It rains."));
  const moves = [delegate(worker, "Rain."), delegate(worker, "Snow."), accept("d1", 1), finish("Rain.")];
  const rule = { when: { tool: "delegate_to_worker", first_use: true }, ...asksOwner };
  const { run } = await scene.play({ moves, workers: [worker], brainFields: { config: { approvals: [rule] } } });
  expect((await answer(run.id, true)).reason).toContain("first use of delegate_to_worker");
  expect((await runIn(scene.api, run.id, "completed"))["delegations"]).toHaveLength(2);
});

verifies("approvals.teams", "a denied delegation is not made, and the brain reads why", async () => {
  const worker = await scene.player(saying("It rains."));
  const rule = { when: { tool: "delegate_to_worker" }, ...asksOwner };
  const { run, brain } = await scene.play({
    moves: [delegate(worker, "Rain."), finish("None.")],
    workers: [worker],
    brainFields: { config: { approvals: [rule] } },
  });
  await answer(run.id, false);
  await runIn(scene.api, run.id, "completed");
  expect(toolResults(brain.calls()[1])[0]).toContain("did not approve");
  expect(worker.calls()).toHaveLength(0);
});

verifies("approvals.when", "a rule asks once the run has cost more than its amount", async () => {
  const worker = await scene.player(saying("It rains."));
  const cheap = { when: { tool: "delegate_to_worker", cost_above: 1 }, ...asksOwner };
  const dear = { when: { tool: "accept_result", cost_above: 0 }, ...asksOwner };
  const { run } = await scene.play({
    moves: [delegate(worker, "Rain."), accept("d1", 1), finish("Rain.")],
    workers: [worker],
    brainFields: { config: { approvals: [cheap, dear] } },
  });
  const shown = await answer(run.id, true);
  expect(shown.costUsd).toBeGreaterThan(0);
  expect(shown.reason).toMatch(/^A rule asks: the run has cost \$0\.\d{4,6}, more than \$0\.00\.$/);
  await runIn(scene.api, run.id, "completed");
});
