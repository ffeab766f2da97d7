import { beforeAll, expect } from "vitest";
import { apiOf } from "../../support/api.ts";
import { setStatus, startTask, taskEnd } from "../../support/runs.ts";
import { readStream, readToEnd } from "../../support/sse-client.ts";
import { WORDS, openStreamScene } from "../../support/stream-scene.ts";
import type { StreamScene } from "../../support/stream-scene.ts";
import { expectWholeStream, messagesIn } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";

let scene: StreamScene;

beforeAll(async () => {
  scene = await openStreamScene();
});

verifies("ag-ui.event.run-error", "a run that fails ends with RUN_ERROR, its message and its code", async () => {
  const taskId = await startTask(scene.service, scene.agentId, { title: "is rejected" });
  const events = await readToEnd(scene.service, { agentId: scene.agentId, taskId });
  await expectWholeStream(events);
  const { error } = await taskEnd(scene.service, taskId);
  expect(error).toContain("This provider says no.");
  expect(events.at(-1)?.event).toEqual({
    type: "RUN_ERROR",
    threadId: taskId,
    runId: taskId,
    message: error,
    code: "MODEL_ERROR",
    timestamp: expect.any(Number),
  });
});

verifies(
  ["ag-ui.event.cancelled-run-ends", "ag-ui.event.open-messages-closed"],
  "a task cancelled in the middle of a word closes its message and ends with RUN_ERROR",
  async () => {
    const taskId = await startTask(scene.service, scene.agentId, { title: "hangs in a word" });
    for (const runId of [taskId, `${taskId}.2`]) {
      const reader = await readStream(scene.service, { agentId: scene.agentId, taskId });
      await reader.until((events) => messagesIn(events).includes("Noo"));
      await setStatus(scene.service, taskId, "cancelled");
      expect(await reader.over).toBe("closed");
      await expectWholeStream(reader.events);
      expect(reader.events.at(-1)?.event).toMatchObject({ type: "RUN_ERROR", code: "CANCELLED", runId });
      if (runId === taskId) await setStatus(scene.service, taskId, "dispatched");
    }
  },
);

verifies("ag-ui.event.deleted-run-ends", "a reader of a deleted task gets its end without a result", async () => {
  const taskId = await startTask(scene.service, scene.agentId, { title: "hangs in a word" });
  const reader = await readStream(scene.service, { agentId: scene.agentId, taskId });
  await reader.until((events) => messagesIn(events).includes("Noo"));
  expect((await apiOf(scene.service, scene.service.keys.api).delete(`/api-tasks?id=${taskId}`)).status).toBe(204);
  expect(await reader.over).toBe("closed");
  expect(reader.events.at(-1)?.event).toMatchObject({ type: "RUN_ERROR", code: "CANCELLED", runId: taskId });
});

verifies(
  "ag-ui.event.open-messages-closed",
  "an answer that aborts closes its message, and the answer of the next try is another message",
  async () => {
    const taskId = await startTask(scene.service, scene.agentId, { title: "aborts once" });
    const { until, over, events } = await readStream(scene.service, { agentId: scene.agentId, taskId });
    await until((sofar) => messagesIn(sofar).includes("Noo"));
    scene.release();
    expect(await over).toBe("closed");
    await expectWholeStream(events);
    expect(messagesIn(events)).toEqual(["Noo", WORDS.join("")]);
    expect(events.at(-1)?.event).toMatchObject({ type: "RUN_FINISHED", result: WORDS.join("") });
  },
);
