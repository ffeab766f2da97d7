import { afterAll, beforeAll, expect } from "vitest";
import { openApprovals } from "../../support/approvals.ts";
import { expectSingleVotes, voteOn } from "../../support/double-votes.ts";
import { openWorkspaceIn } from "../../support/shared-service.ts";
import { startPeer, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { taskIn } from "../../support/work.ts";

let first: TestService;
let second: TestService;

beforeAll(async () => {
  first = await startService();
  second = await startPeer({ databaseUrl: first.databaseUrl, keys: first.keys });
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});

verifies(
  "approvals.race",
  "200 double votes over two processes are 200 votes",
  () => expectSingleVotes([first, second], 4),
  { tags: "slow" },
);

verifies("approvals.race", "of two people at the same time one decides, and the other sees who was first", async () => {
  const scene = await openApprovals(await openWorkspaceIn(first));
  const [ana, ben] = [await scene.join("Ana", "admin"), await scene.join("Ben", "admin")];
  const agent = await scene.agentWith([{}]);
  for (let round = 0; round < 5; round += 1) {
    const taskId = await scene.start(agent.id);
    const question = { taskId, interactionId: (await scene.question(taskId)).id };
    const votes = await Promise.all([voteOn(first, ana, question), voteOn(second, ben, question)]);
    const [winner, loser] = votes.toSorted((a, b) => a.status - b.status);
    expect([winner?.status, loser?.status]).toEqual([200, 409]);
    const name = winner === votes[0] ? "Ana" : "Ben";
    expect(loser?.text).toContain(`It is decided: ${name} approved it first`);
    await taskIn(scene.api, taskId, "completed");
    const [closed] = await scene.questions(taskId, "answered");
    expect(closed?.votes.map(({ by }) => by.name)).toEqual([name]);
  }
});
