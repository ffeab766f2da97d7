import fc from "fast-check";
import { beforeAll, expect } from "vitest";
import { resumingReader } from "../../support/clients/resuming-reader.ts";
import { setStatus, startTask, taskEnd } from "../../support/runs.ts";
import { hasEnded, readToEnd } from "../../support/sse-client.ts";
import { openStreamScene } from "../../support/stream-scene.ts";
import type { StreamScene } from "../../support/stream-scene.ts";
import { expectWholeStream, shapeOf } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";

let scene: StreamScene;

beforeAll(async () => {
  scene = await openStreamScene();
});

verifies(
  "ag-ui.resume.last-event-id",
  "however often and wherever a reader loses its connection, it gets every event once",
  async () => {
    const cuts = fc.array(fc.nat(15), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(cuts, async (lengths) => {
        const taskId = await startTask(scene.service, scene.agentId, { title: "talks a while" });
        const reader = resumingReader(scene.agentId, taskId);
        await reader.connect(scene.service);
        for (const length of lengths) {
          const wanted = reader.events().length + length;
          await reader.until((events) => events.length >= wanted || hasEnded(events));
          await reader.connect(scene.service);
        }
        if (!hasEnded(reader.events())) await reader.until(hasEnded);
        expect(reader.events()).toEqual(await readToEnd(scene.service, { agentId: scene.agentId, taskId }));
        await expectWholeStream(reader.events());
      }),
      { numRuns: 8 },
    );
  },
);

verifies(
  ["ag-ui.resume.finished-task", "ag-ui.resume.last-event-id"],
  "a finished task is replayed from the start or after any of its events, and the stream closes",
  async () => {
    const taskId = await startTask(scene.service, scene.agentId, { title: "asks a tool" });
    await taskEnd(scene.service, taskId);
    const all = await readToEnd(scene.service, { agentId: scene.agentId, taskId });
    await expectWholeStream(all);
    for (const [index, { id }] of all.entries()) {
      expect(await readToEnd(scene.service, { agentId: scene.agentId, taskId, lastEventId: id })).toEqual(
        all.slice(index + 1),
      );
    }
    expect(await readToEnd(scene.service, { agentId: scene.agentId, taskId, lastEventId: 0 })).toEqual(all);
  },
);

verifies("ag-ui.resume.rerun", "after a re-run the stream is that of the newest attempt, numbered on", async () => {
  const taskId = await startTask(scene.service, scene.agentId, { title: "asks a tool" });
  const first = await readToEnd(scene.service, { agentId: scene.agentId, taskId });
  await setStatus(scene.service, taskId, "dispatched");
  const second = await readToEnd(scene.service, { agentId: scene.agentId, taskId });
  await expectWholeStream(second);
  expect(second[0]?.id).toBe(first.length + 1);
  expect(second.at(-1)?.event).toMatchObject({ type: "RUN_FINISHED", threadId: taskId, runId: `${taskId}.2` });
  expect(shapeOf(second)).toEqual(shapeOf(first));
});

verifies(
  "ag-ui.resume.earlier-attempt",
  "each attempt of a task can be read again as it was, in part or whole, in either dialect",
  async () => {
    const taskId = await startTask(scene.service, scene.agentId, { title: "asks a tool" });
    const first = await readToEnd(scene.service, { agentId: scene.agentId, taskId });
    const standard = await readToEnd(scene.service, { agentId: scene.agentId, taskId, isStandard: true });
    await setStatus(scene.service, taskId, "dispatched");
    const second = await readToEnd(scene.service, { agentId: scene.agentId, taskId });
    const read = (attempt: number, lastEventId = "") =>
      readToEnd(scene.service, { agentId: scene.agentId, taskId, attempt, lastEventId });
    expect(await read(1)).toEqual(first);
    expect(await read(2)).toEqual(second);
    expect(await readToEnd(scene.service, { agentId: scene.agentId, taskId, attempt: 1, isStandard: true })).toEqual(
      standard,
    );
    expect(await read(1, "3")).toEqual(first.slice(3));
    expect(await read(1, String(first.length))).toEqual([]);
    // Only standard readers know ids of parts; one of an earlier attempt is before all of this one.
    await expect(read(2, "3.0")).rejects.toThrow("400");
    const standardSecond = await readToEnd(scene.service, {
      agentId: scene.agentId,
      taskId,
      attempt: 2,
      isStandard: true,
    });
    const resumed = await readToEnd(scene.service, {
      agentId: scene.agentId,
      taskId,
      attempt: 2,
      isStandard: true,
      lastEventId: "3.0",
    });
    expect(resumed).toEqual(standardSecond);
    const cutOff = first.length - 2;
    expect(await readToEnd(scene.service, { agentId: scene.agentId, taskId, lastEventId: cutOff })).toEqual(
      first.slice(cutOff),
    );
    expect(await readToEnd(scene.service, { agentId: scene.agentId, taskId, lastEventId: first.length })).toEqual(
      second,
    );
    await expect(read(3)).rejects.toThrow('404: {"error":"Attempt 3 of this task not found"}');
    for (const attempt of [0, -1, 1.5, "1", null]) {
      const answer = await fetch(`${scene.service.url}/ag-ui/${scene.agentId}/sse`, {
        method: "POST",
        headers: { authorization: `Bearer ${scene.service.keys.agui}` },
        body: JSON.stringify({ threadId: taskId, attempt }),
      });
      expect([answer.status, await answer.json()]).toEqual([
        400,
        { error: "attempt must be a whole number, 1 or more" },
      ]);
    }
  },
);
