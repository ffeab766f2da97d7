import { Role, TaskState } from "@a2a-js/sdk";
import { beforeAll, describe, expect } from "vitest";
import { allOf, client0, client1, restClient } from "../../support/a2a/a2a.ts";
import { apiOf } from "../../support/api.ts";
import { callOf } from "../../support/interactions.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, QUICK, createAgent } from "../../support/work.ts";

let service: SharedService;
let agentId: string;

beforeAll(async () => {
  service = await useSharedService();
  const tools = ["wait", "request_input"];
  agentId = (await createAgent(apiOf(service, service.keys.api), { is_a2a_published: true, tools })).id;
});

const ASKING = callOf("request_input", { title: "Which colour?" });

function request1(text: string, { taskId = "", returnImmediately = false } = {}) {
  return {
    tenant: "",
    message: {
      messageId: crypto.randomUUID(),
      contextId: "",
      taskId,
      role: Role.ROLE_USER,
      parts: [{ content: { $case: "text", value: text }, metadata: undefined, filename: "", mediaType: "text/plain" }],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    },
    configuration: { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately },
    metadata: undefined,
  } satisfies Parameters<Awaited<ReturnType<typeof client1>>["sendMessage"]>[0];
}

const CLIENTS = [
  { how: "", connect: () => client1(service, agentId) },
  { how: " with compatibility for 0.3", connect: () => client1(service, agentId, { legacy: true }) },
  { how: " over HTTP+JSON", connect: () => restClient(service, agentId) },
] as const;

for (const { how, connect } of CLIENTS) {
  describe(`the client of @a2a-js/sdk 1.3${how}`, () => {
    verifies(["a2a.rpc.v1-methods", "a2a.rpc.blocking"], "sends a message and gets the result", async () => {
      const client = await connect();
      const result = await client.sendMessage(request1(QUICK));
      expect(result).toMatchObject({
        status: { state: TaskState.TASK_STATE_COMPLETED },
        artifacts: [{ parts: [{ content: { $case: "text", value: "done" } }] }],
      });
    });

    verifies(["a2a.rpc.v1-methods"], "streams a run, gets a question, answers it and reads the task", async () => {
      const client = await connect();
      const events = await allOf(client.sendMessageStream(request1(ASKING)));
      expect(events[0]?.payload?.$case).toBe("task");
      const last = events.at(-1)?.payload;
      if (last?.$case !== "statusUpdate") throw new Error(`The stream ended with ${last?.$case}.`);
      expect(last.value.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
      const { taskId } = last.value;
      const answered = await client.sendMessage(request1("blue", { taskId }));
      expect(answered).toMatchObject({ id: taskId, status: { state: TaskState.TASK_STATE_COMPLETED } });
      const read = await client.getTask({ tenant: "", id: taskId, historyLength: 5 });
      expect(read.history[0]?.parts[0]?.content).toEqual({ $case: "text", value: ASKING });
      const listed = await client.listTasks({
        tenant: "",
        contextId: read.contextId,
        status: TaskState.TASK_STATE_UNSPECIFIED,
        pageToken: "",
        statusTimestampAfter: undefined,
      });
      expect(listed.tasks.map(({ id }) => id)).toEqual([taskId]);
    });

    verifies(
      ["a2a.rpc.v1-methods", "a2a.rpc.v1-push-config"],
      "subscribes, stores a push configuration, cancels",
      async () => {
        const client = await connect();
        const task = await client.sendMessage(request1(ENDLESS, { returnImmediately: true }));
        if (!("id" in task)) throw new Error("The answer is no task.");
        const { id: taskId } = task;
        const url = "https://client.example/notify";
        const config = { tenant: "", id: "mine", taskId, url, token: "t0k3n", authentication: undefined };
        expect(await client.createTaskPushNotificationConfig(config)).toMatchObject({ id: "mine", taskId, url });
        const named = { tenant: "", taskId, id: "mine" };
        expect(await client.getTaskPushNotificationConfig(named)).toMatchObject({ url, token: "" });
        const all = await client.listTaskPushNotificationConfig({ tenant: "", taskId, pageSize: 0, pageToken: "" });
        expect(all.configs).toHaveLength(1);
        await client.deleteTaskPushNotificationConfig(named);
        await expect(client.getTaskPushNotificationConfig(named)).rejects.toThrow("not found");

        const states: unknown[] = [];
        for await (const { payload } of client.resubscribeTask({ tenant: "", id: taskId })) {
          if (payload?.$case !== "task" && payload?.$case !== "statusUpdate") continue;
          states.push(payload.value.status?.state);
          if (payload.value.status?.state !== TaskState.TASK_STATE_WORKING || states.length < 2) continue;
          await client.cancelTask({ tenant: "", id: taskId, metadata: undefined }).catch(() => undefined);
        }
        expect(states.at(-1)).toBe(TaskState.TASK_STATE_CANCELED);
        await expect(client.cancelTask({ tenant: "", id: taskId, metadata: undefined })).rejects.toThrow(
          "cannot be cancelled",
        );
        const card = await client.getAgentCard();
        expect(card.skills.map(({ id }) => id)).toEqual([agentId]);
      },
    );
  });
}

describe("the client of @a2a-js/sdk 0.3.14", () => {
  verifies(
    [
      "a2a.rpc.message-send",
      "a2a.rpc.message-stream",
      "a2a.rpc.tasks-get",
      "a2a.rpc.tasks-cancel",
      "a2a.rpc.push-config",
    ],
    "sends, streams, reads, subscribes, stores a push configuration and cancels",
    async () => {
      const client = await client0(service, agentId);
      const parts = [{ kind: "text" as const, text: QUICK }];
      const message = { kind: "message" as const, messageId: crypto.randomUUID(), role: "user" as const, parts };
      const sent = await client.sendMessage({ message });
      expect(sent).toMatchObject({ result: { kind: "task", status: { state: "completed" } } });

      const asking = { ...message, messageId: crypto.randomUUID(), parts: [{ kind: "text" as const, text: ASKING }] };
      const events = await allOf(client.sendMessageStream({ message: asking }));
      expect(events[0]).toMatchObject({ kind: "task" });
      expect(events.at(-1)).toMatchObject({ kind: "status-update", final: true, status: { state: "input-required" } });
      const [first] = events;
      if (first?.kind !== "task") throw new Error("The stream does not begin with a task.");
      const { id } = first;
      expect(await client.getTask({ id })).toMatchObject({ result: { status: { state: "input-required" } } });
      const config = { id: "mine", url: "https://client.example/notify" };
      await client.setTaskPushNotificationConfig({ taskId: id, pushNotificationConfig: config });
      expect(await client.getTaskPushNotificationConfig({ id })).toMatchObject({
        result: { taskId: id, pushNotificationConfig: config },
      });
      expect(await client.listTaskPushNotificationConfig({ id })).toMatchObject({ result: [{ taskId: id }] });
      await client.deleteTaskPushNotificationConfig({ id, pushNotificationConfigId: "mine" });
      expect(await client.cancelTask({ id })).toMatchObject({ result: { status: { state: "canceled" } } });
      const replayed = await allOf(client.resubscribeTask({ id }));
      expect(replayed.at(-1)).toMatchObject({ kind: "status-update", final: true, status: { state: "canceled" } });
    },
  );
});
