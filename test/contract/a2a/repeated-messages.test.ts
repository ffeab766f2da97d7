import { beforeAll, expect } from "vitest";
import { rpc, userMessage1 } from "../../support/a2a/a2a.ts";
import { sent1 } from "../../support/a2a/shapes.ts";
import { openTaskScene } from "../../support/a2a/task-scene.ts";
import type { TaskScene } from "../../support/a2a/task-scene.ts";
import { callOf } from "../../support/interactions.ts";
import { verifies } from "../../support/verifies.ts";
import { readTask } from "../../support/work.ts";

let scene: TaskScene;

beforeAll(async () => {
  scene = await openTaskScene();
});

const approvalOf = (title: string) => callOf("request_approval", { title });

/** A message that asks for two approvals, one after the other. */
const TWO_APPROVALS = `${approvalOf("Delete one?")}\n${approvalOf("Delete all?")}`;

let contexts = 0;
const newContext = () => `repeated ${(contexts += 1)}`;

/** The text that a task's state says. */
const questionOf = ({ status }: { readonly status: object }) => JSON.stringify(status);

verifies(
  ["a2a.message.repeated-answer", "a2a.message.repeated"],
  "an approval that is sent again does not grant the next one, by context or task, alone or many",
  async () => {
    const { send1, send0, agentId, api } = scene;
    const contextId = newContext();
    const first = await send1(agentId, TWO_APPROVALS, { contextId, messageId: "start" });
    expect(questionOf(first)).toContain("Delete one?");
    const yes = { contextId, messageId: "yes 1" };
    const answers = await Promise.all([1, 2, 3].map(() => send1(agentId, "yes", yes)));
    answers.push(await send1(agentId, "yes", yes), await send1(agentId, "yes", { taskId: first.id, ...yes }));
    for (const answer of answers) {
      expect(answer).toMatchObject({ id: first.id, status: { state: "TASK_STATE_INPUT_REQUIRED" } });
      expect(questionOf(answer)).toContain("Delete all?");
    }
    const again = await send0(agentId, "yes", { taskId: first.id, messageId: "yes 1" });
    expect(again.status.state).toBe("input-required");
    const end = await send1(agentId, "no", { contextId, messageId: "no" });
    expect(end.status.state).toBe("TASK_STATE_COMPLETED");
    // After the end, an answer is no message of the next attempt either, and a named task that has ended accepts it.
    expect(await send1(agentId, "yes", yes)).toEqual(end);
    expect(await send1(agentId, "yes", { ...yes, taskId: first.id })).toEqual(end);
    expect(await readTask(api, first.id)).toMatchObject({ attempt: 1, status: "completed" });
  },
);

verifies(
  ["a2a.message.repeated"],
  "a first message or a continuation that is sent again does not answer the question that it led to",
  async () => {
    const { send1, agentId } = scene;
    const contextId = newContext();
    for (const messageId of ["first", "second"]) {
      const asking = callOf("request_input", { title: `Your name, ${messageId}?` });
      const fields = { contextId, messageId };
      const asked = await send1(scene.agentId, asking, fields);
      expect(questionOf(asked)).toContain(`Your name, ${messageId}?`);
      expect(await send1(scene.agentId, asking, fields)).toEqual(asked);
      expect(await send1(scene.agentId, asking, { ...fields, taskId: asked.id })).toEqual(asked);
      const done = await send1(scene.agentId, "Ada", { contextId, messageId: `${messageId}: Ada` });
      expect(done.status.state).toBe("TASK_STATE_COMPLETED");
    }
    const working = { contextId: newContext(), messageId: "slow" };
    const slow = () => send1(agentId, callOf("wait", { seconds: 60 }), working, { returnImmediately: true });
    const { id } = await slow();
    expect(await slow()).toMatchObject({ id });
  },
);

verifies(
  "a2a.message.repeated-answer",
  "a wizard's page that is sent again does not answer the next page",
  async () => {
    const page = (stepId: string) => ({ stepId, type: "text_input", title: `${stepId}?` });
    const wizard = callOf("request_wizard", { title: "Setup", steps: [page("name"), page("town")] });
    const { id } = await scene.send1(scene.agentId, wizard);
    for (const messageId of ["a", "a"]) {
      expect(questionOf(await scene.send1(scene.agentId, "Ada", { taskId: id, messageId }))).toContain("town?");
    }
    const done = await scene.send1(scene.agentId, "London", { taskId: id, messageId: "b" });
    expect(done.status.state).toBe("TASK_STATE_COMPLETED");
  },
);

verifies(
  ["a2a.message.push-with-message", "a2a.message.repeated"],
  "a message and its push configuration are stored together, and only once",
  async () => {
    const contextId = newContext();
    const send = async (url: string, messageId: string) => {
      const params = { ...userMessage1("Hello", { contextId, messageId }) };
      const configuration = { taskPushNotificationConfig: { url } };
      return rpc(scene.service, scene.echoId, { method: "SendMessage", params: { ...params, configuration } });
    };
    expect((await send("ftp://client.example/", "m1")).error?.message).toContain("url");
    const first = await send("https://client.example/notify", "m1");
    const { task } = sent1.parse(first.result);
    expect(await readTask(scene.api, task.id)).toMatchObject({ attempt: 1 });
    expect((await send("https://client.example/notify", "m1")).result).toEqual(first.result);
    await send("https://client.example/another", "m2");
    await send("https://client.example/another", "m2");
    const { result } = await rpc(scene.service, scene.echoId, {
      method: "ListTaskPushNotificationConfigs",
      params: { taskId: task.id },
    });
    const urls = [{ url: "https://client.example/notify" }, { url: "https://client.example/another" }];
    expect(result).toMatchObject({ configs: urls });
    expect(await readTask(scene.api, task.id)).toMatchObject({ attempt: 2 });
  },
);
