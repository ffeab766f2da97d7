import { afterAll, beforeAll, expect } from "vitest";
import { openApprovals } from "../../support/approvals.ts";
import { resumingReader } from "../../support/clients/resuming-reader.ts";
import { voteOn } from "../../support/double-votes.ts";
import { createDatabase, createKeys, startProcess, startService } from "../../support/service.ts";
import type { TestDatabase } from "../../support/service.ts";
import { openWorkspaceIn } from "../../support/shared-service.ts";
import { hasEnded } from "../../support/sse-client.ts";
import { ofType } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { taskIn } from "../../support/work.ts";

const keys = createKeys();
let database: TestDatabase;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

verifies(
  ["approvals.need", "interactions.wait.survives-restart"],
  "a process killed after each vote loses none, and the call is made once",
  async () => {
    const start = () => startProcess({ databaseUrl: database.url, keys });
    let process = await start();
    const workspace = await openWorkspaceIn(process);
    let scene = await openApprovals(workspace);
    const people = [await scene.join("Ana", "admin"), await scene.join("Ben", "admin")];
    const agent = await scene.agentWith([{ need: 2 }]);
    const taskId = await scene.start(agent.id);
    const reader = resumingReader(agent.id, taskId);
    await reader.connect({ ...process, keys: workspace.keys });
    await reader.until((events) => ofType(events, "INTERACTION_REQUEST").length === 1);
    const { id } = await scene.question(taskId);
    for (const person of people) {
      const voted = await voteOn(process, person, { taskId, interactionId: id });
      expect([voted.status, voted.text]).toEqual([200, expect.any(String)]);
      await process.kill();
      process = await start();
    }
    await process.kill();
    const last = await startService({ databaseUrl: database.url, keys });
    scene = await openApprovals({ ...workspace, url: last.url });
    await taskIn(scene.api, taskId, "completed");
    const [closed] = await scene.questions(taskId, "answered");
    expect(closed?.votes.map(({ by }) => by.name)).toEqual(["Ana", "Ben"]);
    await reader.connect({ ...last, keys: workspace.keys });
    await reader.until(hasEnded);
    expect(ofType(reader.events(), "TOOL_CALL_END")).toHaveLength(1);
    expect(ofType(reader.events(), "INTERACTION_RESPONSE")).toHaveLength(1);
    await last.stop();
  },
);
