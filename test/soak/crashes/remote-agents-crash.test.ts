import { afterAll, beforeAll, expect } from "vitest";
import { openDatabase } from "#db/open-database.ts";
import { NO_PROXIES } from "#lib/safe-fetch/proxies.ts";
import { createSafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import { createSecretBox } from "#lib/security/secret-box.ts";
import { sweepRemoteCalls } from "#operations/remote-agents/abandoned-calls.ts";
import { apiOf, consoleOf } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { callOf, respond } from "../../support/interactions.ts";
import { startRemoteAgent } from "../../support/a2a/remote-agent.ts";
import type { RemoteAgent } from "../../support/a2a/remote-agent.ts";
import { ENCRYPTION_KEY, createDatabase, createKeys, startProcess } from "../../support/service.ts";
import type { TestDatabase, TestProcess } from "../../support/service.ts";
import { readToEnd } from "../../support/sse-client.ts";
import { ofType } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, readTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const keys = createKeys();
let database: TestDatabase;
let service: TestProcess;
let remote: RemoteAgent;
let agentId: string;
let remoteId: string;

const start = () => startProcess({ databaseUrl: database.url, keys, env: { ALLOW_PRIVATE_URLS: "true" } });

beforeAll(async () => {
  database = await createDatabase();
  service = await start();
  remote = await startRemoteAgent({ protocol: "1.0", name: "Translator" });
  agentId = (await createAgent(apiOf(service, keys.api), { tools: ["a2a_delegate"] })).id;
  const made = await consoleOf(service, keys.api).post("/remote-agents", { base_url: remote.url, token: "t" });
  remoteId = String(Object(made.body)["id"]);
});
afterAll(async () => {
  await service.stop();
  await remote.close();
  await database.drop();
});

/** Starts a task that delegates, and waits until the remote agent's name for the work is stored. */
async function delegating(message: string): Promise<string> {
  const description = callOf("a2a_delegate", { agent_id: remoteId, message });
  const { id } = await createTask(apiOf(service, keys.api), { assigned_agent_id: agentId, description });
  const known = "select from remote_calls where subject_id = $1 and remote_task_id is not null";
  await eventually("the remote task", async () => (await sql(database.url, known, [id])).length === 1);
  return id;
}

verifies(
  "a2a-client.restart",
  "after a process is killed while a remote agent works, the next one polls the task and sends nothing",
  async () => {
    const taskId = await delegating("hang");
    await service.kill();
    service = await start();
    await eventually("a question for the task", () => remote.calls.some(({ method }) => method === "GetTask"));
    remote.finish("done at last");
    await taskIn(apiOf(service, keys.api), taskId, "completed");
    const events = await readToEnd(service, { agentId, taskId });
    expect(ofType(events, "TOOL_CALL_END")).toMatchObject([{ result: "done at last" }]);
    expect(remote.calls.filter(({ text }) => text === "hang")).toHaveLength(1);
    expect(remote.calls.some(({ method }) => method === "CancelTask")).toBe(false);
  },
);

verifies("a2a-client.restart", "a process that stops gracefully leaves the remote task to the next one", async () => {
  const taskId = await delegating("hang");
  await service.stop();
  service = await start();
  remote.finish("handed over");
  await taskIn(apiOf(service, keys.api), taskId, "completed");
  expect(remote.calls.some(({ method }) => method === "CancelTask")).toBe(false);
  expect(remote.calls.filter(({ text }) => text === "hang")).toHaveLength(2);
});

/** Waits until a task asks this in another question than the given one, answers it, and returns its id. */
async function answerTo(taskId: string, question: string, text: string, previous?: string): Promise<string> {
  const interactionId = await eventually(`the question ${question}`, async () => {
    const { interaction } = await readTask(apiOf(service, keys.api), taskId);
    const { interactionId: id, description } = Object(interaction);
    return id !== previous && description === question && String(id);
  });
  await respond({ url: service.url, keys }, { agentId, taskId }, { interactionId, text });
  return interactionId;
}

const ENDS = [
  { how: "is killed", end: () => service.kill() },
  { how: "is stopped", end: () => service.stop() },
] as const;

for (const { how, end } of ENDS) {
  verifies(
    ["a2a-client.answers-own-question", "a2a-client.answers-once"],
    `an answer that was sent before a process ${how} answers no other question and is not sent again`,
    async () => {
      const before = remote.calls.length;
      const taskId = await delegating("ask Which colour? | Delete all?");
      await answerTo(taskId, "Which colour?", "unheard blue");
      await eventually("the answer", () =>
        remote.calls.some(({ text }, index) => index >= before && text.endsWith("blue")),
      );
      await end();
      service = await start();
      await answerTo(taskId, "Delete all?", "no");
      await taskIn(apiOf(service, keys.api), taskId, "completed");

      const other = await delegating("ask Which colour?");
      const first = await answerTo(other, "Which colour?", "lost green");
      await eventually("the answer", () =>
        remote.calls.some(({ text }, index) => index >= before && text.endsWith("green")),
      );
      await end();
      service = await start();
      await answerTo(other, "Which colour?", "red", first);
      await taskIn(apiOf(service, keys.api), other, "completed");
      const sent = remote.calls
        .slice(before)
        .flatMap(({ text }) => (text === "" || text.startsWith("ask") ? [] : [text]));
      expect(sent).toEqual(["unheard blue", "no", "lost green", "red"]);
    },
  );
}

verifies("a2a-client.abandoned", "abandoned remote tasks are cancelled by the janitor", async () => {
  const taskId = await delegating("hang");
  await service.kill();
  await sql(database.url, "update tasks set status = 'cancelled', completed_at = now() where id = $1", [taskId]);
  const db = openDatabase({ url: database.url, poolSize: 2, onIdleError: () => undefined });
  const secrets = createSecretBox(Buffer.from(ENCRYPTION_KEY, "base64"));
  const services = { db, secrets, fetch: createSafeFetch({ proxies: NO_PROXIES, reach: "private" }) };
  await sweepRemoteCalls(services, new Date(0));
  expect(remote.calls.at(-1)).toMatchObject({ method: "CancelTask", authorization: "Bearer t" });
  const calls = remote.calls.length;
  await sweepRemoteCalls(services, new Date());
  expect(remote.calls).toHaveLength(calls);
  expect(await sql(database.url, "select from remote_calls")).toEqual([]);
  await db.close();
  service = await start();
});
