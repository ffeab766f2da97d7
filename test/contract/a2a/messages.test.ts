import { beforeAll, expect } from "vitest";
import { task0, task1 } from "../../support/a2a/shapes.ts";
import { rpc, streamed, userMessage1 } from "../../support/a2a/a2a.ts";
import { openTaskScene } from "../../support/a2a/task-scene.ts";
import type { TaskScene } from "../../support/a2a/task-scene.ts";
import { callOf } from "../../support/interactions.ts";
import { verifies } from "../../support/verifies.ts";
import { readTask } from "../../support/work.ts";

let scene: TaskScene;

beforeAll(async () => {
  scene = await openTaskScene();
});

/** The text of a task's first artifact. */
function textIn({
  artifacts = [],
}: {
  readonly artifacts?: readonly { readonly parts: readonly object[] }[];
}): unknown {
  return Object(artifacts[0]?.parts[0])["text"];
}

verifies(
  ["a2a.state.input-required", "a2a.rpc.answers", "interactions.answer.from-a2a"],
  "a message to a task that needs input answers its question, as text or as data",
  async () => {
    const choices = [
      { id: "tea", label: "Green tea" },
      { id: "coffee", label: "Coffee" },
    ];
    const asked = await scene.send0(scene.agentId, callOf("request_choice", { title: "What to drink?", choices }));
    expect(asked.status.state).toBe("input-required");
    const [text, data] = asked.status.message?.parts ?? [];
    expect(text).toMatchObject({ kind: "text", text: expect.stringContaining("What to drink?") });
    expect(data).toMatchObject({ kind: "data", data: { interactionType: "choice", choices } });
    await expect(scene.send0(scene.agentId, "water", { taskId: asked.id })).rejects.toThrow("one of tea, coffee");
    const answered = await scene.send0(scene.agentId, "green tea", { taskId: asked.id });
    expect(answered).toMatchObject({ id: asked.id, status: { state: "completed" } });
    expect(JSON.stringify(answered.artifacts)).toContain("tea");

    const form = { title: "Who?", fields: [{ key: "age", label: "Age", type: "number", required: true }] };
    const again = await scene.send1(scene.agentId, callOf("request_form", form));
    expect(again.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    const wrong = { taskId: again.id, parts: [{ data: { values: { age: "old" } } }] };
    await expect(scene.send1(scene.agentId, "", wrong)).rejects.toThrow("values.age");
    const right = { contextId: again.contextId, parts: [{ data: { values: { age: 7 } } }] };
    expect(await scene.send1(scene.agentId, "", right)).toMatchObject({
      id: again.id,
      status: { state: "TASK_STATE_COMPLETED" },
    });
  },
);

verifies("a2a.rpc.answers", "a wizard is answered step by step", async () => {
  const steps = [
    { stepId: "sure", type: "approval", title: "Sure?" },
    { stepId: "name", type: "text_input", title: "Name?" },
  ];
  const first = await scene.send1(scene.agentId, callOf("request_wizard", { title: "Setup", steps }));
  const second = await scene.send1(scene.agentId, "yes", { taskId: first.id });
  expect(second.status).toMatchObject({ state: "TASK_STATE_INPUT_REQUIRED" });
  expect(JSON.stringify(second.status.message)).toContain("Name?");
  expect(await scene.send1(scene.agentId, "Ada", { taskId: first.id })).toMatchObject({
    status: { state: "TASK_STATE_COMPLETED" },
  });
});

verifies(
  ["a2a.context.continues", "a2a.result.history"],
  "a message in the context of a finished task is its next attempt, with the conversation",
  async () => {
    const contextId = "my own conversation";
    const first = await scene.send1(scene.echoId, "One", { contextId, messageId: "m1" });
    expect(first.contextId).toBe(contextId);
    expect(first.artifacts?.[0]?.parts[0]).toMatchObject({ text: "user: One" });
    const second = await scene.send1(scene.echoId, "Two", { contextId, messageId: "m2" }, { historyLength: 10 });
    expect(second).toMatchObject({ id: first.id, contextId, status: { state: "TASK_STATE_COMPLETED" } });
    expect(second.artifacts?.[0]?.parts[0]).toMatchObject({ text: "user: One | assistant: user: One | user: Two" });
    expect(second.history?.map(({ role, parts }) => [role, parts[0]])).toEqual([
      ["ROLE_USER", { text: "One", mediaType: "text/plain" }],
      ["ROLE_AGENT", { text: "user: One", mediaType: "text/plain" }],
      ["ROLE_USER", { text: "Two", mediaType: "text/plain" }],
    ]);
    expect(second.history?.map(({ messageId }) => messageId)).toEqual(["m1", expect.any(String), "m2"]);
    expect(await readTask(scene.api, first.id)).toMatchObject({ attempt: 2 });
    // The same message once more, as after a lost answer, runs nothing again.
    expect(await scene.send1(scene.echoId, "Two", { contextId, messageId: "m2" })).toMatchObject({ id: first.id });
    expect(await readTask(scene.api, first.id)).toMatchObject({ attempt: 2 });
    // A context of the service's own making, and one task named by its id in 0.3.
    const own = await scene.send0(scene.echoId, "Three");
    expect(await scene.send0(scene.echoId, "Four", { contextId: own.contextId })).toMatchObject({ id: own.id });
    expect(await scene.send0(scene.echoId, "Five", { taskId: own.id })).toMatchObject({ id: own.id });
    expect(await readTask(scene.api, own.id)).toMatchObject({ attempt: 3 });
  },
);

verifies("a2a.result.history", "the history has at most the requested length, with the newest messages", async () => {
  const { id } = await scene.send1(scene.echoId, "One", { contextId: "lengths" });
  await scene.send1(scene.echoId, "Two", { contextId: "lengths" });
  const lengthOf = async (historyLength?: number) => {
    const { result } = await rpc(scene.service, scene.echoId, { method: "GetTask", params: { id, historyLength } });
    return task1.parse(result).history?.map(({ parts }) => Object(parts[0])["text"]);
  };
  expect(await lengthOf()).toBeUndefined();
  expect(await lengthOf(0)).toBeUndefined();
  expect(await lengthOf(1)).toEqual(["Two"]);
  expect(await lengthOf(10)).toEqual(["One", "user: One", "Two"]);
});

verifies(
  ["a2a.rpc.lenient-parts", "a2a.parts.files"],
  "parts with or without kind, data and files reach the agent, and its files are returned as parts",
  async () => {
    const message = { parts: [{ text: "Read this:" }, { kind: "data", data: { n: 1 } }] };
    const { result } = await rpc(scene.service, scene.echoId, { method: "message/send", params: { message } });
    expect(textIn(task0.parse(result))).toBe('user: Read this:\n\n{\n  "n": 1\n}');
    const bytes = Buffer.from("the secret word is tulip").toString("base64");
    for (const file of [
      { kind: "file", file: { bytes, name: "word.txt", mimeType: "text/plain" } },
      { raw: bytes, filename: "word.txt", mediaType: "text/plain" },
    ]) {
      const parts = [{ text: "What is the word?" }, file];
      const task = await scene.send1(scene.echoId, "", { parts }, { historyLength: 1 });
      expect(JSON.stringify(task.artifacts)).toContain("tulip");
      const shown = task.history?.[0]?.parts[1];
      expect(shown).toMatchObject({ filename: "word.txt", mediaType: "text/plain" });
      const content = await fetch(String(Object(shown)["url"]));
      expect(await content.text()).toBe("the secret word is tulip");
    }
  },
);

verifies("a2a.parts.files", "a file that the agent creates is an artifact, also in the stream", async () => {
  const block = "Here:\n```csv report.csv\na,1\n```";
  const task = await scene.send0(scene.echoId, block);
  const made = task.artifacts?.[1];
  const file = { name: "report.csv", mimeType: "text/csv", uri: expect.stringContaining(scene.service.url) };
  expect(made).toMatchObject({ name: "report.csv", parts: [{ kind: "file", file }] });
  const content = await fetch(String(Object(made?.parts[0])["file"]["uri"]));
  expect(await content.text()).toBe("a,1\n");
  const events = await streamed(scene.service, scene.echoId, {
    method: "SendStreamingMessage",
    params: userMessage1(block),
  });
  const artifacts = events.flatMap(({ result }) => Object(result)["artifactUpdate"] ?? []);
  expect(artifacts.at(-1)).toMatchObject({
    artifact: { name: "report.csv", parts: [{ filename: "report.csv", mediaType: "text/csv" }] },
    lastChunk: true,
  });
});
