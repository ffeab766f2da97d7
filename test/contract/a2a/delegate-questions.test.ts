import { beforeAll, expect } from "vitest";
import { openDelegationScene } from "../../support/a2a/delegation-scene.ts";
import type { DelegationScene } from "../../support/a2a/delegation-scene.ts";
import { eventually } from "../../support/eventually.ts";
import { respond } from "../../support/interactions.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import { verifies } from "../../support/verifies.ts";
import { readTask, stopTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

let scene: DelegationScene;

beforeAll(async () => {
  scene = await openDelegationScene((await useScriptedService()).service);
});

let answered: unknown;

/** Waits until a task asks this, in a question that was not answered before, and answers it. */
async function answerTo(taskId: string, question: string, text: string): Promise<void> {
  const interactionId = await eventually(`the question ${question}`, async () => {
    const { interactionId: id, description } = Object((await readTask(scene.api, taskId)).interaction);
    return id !== answered && description === question && id;
  });
  answered = interactionId;
  await respond(scene.service, { agentId: scene.agentId, taskId }, { interactionId, text });
}

const KINDS = [
  { protocol: "1.0", streaming: true },
  { protocol: "0.3", streaming: false },
] as const;

for (const kind of KINDS) {
  const sentTo = ({ calls }: { readonly calls: readonly { readonly text: string }[] }) =>
    calls.flatMap(({ text }) => (text === "" || text.startsWith("ask") ? [] : [text]));

  verifies(
    ["a2a-client.answers-own-question", "a2a-client.asks"],
    `a remote agent of ${kind.protocol} that asks another question does not get the answer to its first`,
    () =>
      scene.withRemote(kind, async (remote, id) => {
        const taskId = await scene.delegating(id, "ask Which colour?");
        await eventually("the question", async () => (await readTask(scene.api, taskId)).interaction !== null);
        remote.askInstead("Delete all?");
        await answerTo(taskId, "Which colour?", "yes, blue");
        await answerTo(taskId, "Delete all?", "no");
        await taskIn(scene.api, taskId, "completed");
        expect(await scene.resultOf(taskId)).toBe("You said no");
        expect(sentTo(remote)).toEqual(["no"]);
      }),
  );

  verifies(
    "a2a-client.answers-own-question",
    `a remote agent of ${kind.protocol} may ask the same words twice, or give one question many ids`,
    async () => {
      await scene.withRemote(kind, async (remote, id) => {
        const taskId = await scene.delegating(id, "ask Continue?");
        await eventually("the question", async () => (await readTask(scene.api, taskId)).interaction !== null);
        remote.askInstead("Continue?");
        await answerTo(taskId, "Continue?", "first");
        await answerTo(taskId, "Continue?", "second");
        await taskIn(scene.api, taskId, "completed");
        expect(sentTo(remote)).toEqual(["second"]);
      });
      await scene.withRemote({ ...kind, freshIds: true }, async (remote, id) => {
        const taskId = await scene.delegating(id, "ask One? | Two?");
        await answerTo(taskId, "One?", "1");
        await answerTo(taskId, "Two?", "2");
        await taskIn(scene.api, taskId, "completed");
        expect(sentTo(remote)).toEqual(["1", "2"]);
      });
    },
  );
}

verifies("a2a-client.cancel-waiting", "a remote task that waits for a person is cancelled with its task, at once", () =>
  scene.withRemote({ protocol: "1.0" }, async (remote, id) => {
    const waiting = async () => {
      const taskId = await scene.delegating(id, "ask Which colour?");
      await eventually("the question", async () => (await readTask(scene.api, taskId)).interaction !== null);
      return taskId;
    };
    const cancelled = (count: number) =>
      eventually("the cancel", () => remote.calls.filter(({ method }) => method === "CancelTask").length === count);
    await stopTask(scene.api, await waiting());
    await cancelled(1);
    expect((await scene.api.delete(`/api-tasks?id=${await waiting()}`)).status).toBe(204);
    await cancelled(2);
    await waiting();
    expect((await scene.settings.delete(`/remote-agents/${id}`)).status).toBe(204);
    await cancelled(3);
    const open = "select from remote_calls where ended_at is null and remote_agent_id = $1";
    expect(await sql(scene.service.databaseUrl, open, [id])).toEqual([]);
  }),
);
