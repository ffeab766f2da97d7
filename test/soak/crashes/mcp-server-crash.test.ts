import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf, listOf } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { MCP_CLIENTS } from "../../support/mcp/clients.ts";
import { sendModern } from "../../support/mcp/modern.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { createDatabase, createKeys, startProcess, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

const modernTask = z.object({ result: z.looseObject({ taskId: z.string(), status: z.string() }) });
const keys = createKeys();
let database: TestDatabase;
let provider: ScriptedProvider;
let other: TestService;
let gate = Promise.withResolvers<void>();

const options = () => {
  const env = { OPENAI_BASE_URL: provider.baseUrl, OPENAI_API_KEY: "key", LEASE_MS: "2000" };
  return { databaseUrl: database.url, keys, env };
};

beforeAll(async () => {
  database = await createDatabase();
  provider = await startScriptedProvider(async ({ body }, reply) => {
    await gate.promise;
    reply.say(`Asked: ${body.messages.at(-1)?.content}`);
    reply.finish();
  });
  other = await startService(options());
  const agent = { name: "Slow", model: "gpt-4o", is_mcp_published: true };
  await createAgent(apiOf(other, keys.api), agent);
});
afterAll(async () => {
  gate.resolve();
  await other.stop();
  await provider.close();
  await database.drop();
});

/** The task of a call, whose message is its description. */
async function taskOf(message: string) {
  const tasks = listOf(await apiOf(other, keys.api).get("/api-tasks?limit=100"));
  return tasks.find((task) => JSON.stringify(task).includes(message));
}

for (const [name, connect] of MCP_CLIENTS) {
  verifies(
    "mcp.server.killed-process",
    `${name}: after kill -9 in a call the task ends on another process, where the client calls again`,
    async () => {
      gate = Promise.withResolvers();
      const one = await startProcess(options());
      const before = provider.calls.length;
      const message = `work for ${name}`;
      const client = await connect({ url: one.url, key: keys.mcp });
      const lost = client.callTool("slow", { message }, { signal: AbortSignal.timeout(60_000) });
      const outcome = lost.then(
        (answer) => answer,
        () => "lost" as const,
      );
      await eventually("the model is called", () => provider.calls.length > before);
      await one.kill();
      gate.resolve();
      await eventually("the task has ended", async () => (await taskOf(message))?.status === "completed");
      expect(await taskOf(message)).toMatchObject({ result: `Asked: ${message}` });
      await client.close();
      await outcome;
      const again = await connect({ url: other.url, key: keys.mcp });
      expect(await again.callTool("slow", { message: "once more" })).toEqual({
        text: "Asked: once more",
        isError: false,
      });
      await again.close();
    },
    120_000,
  );
}

verifies(
  "mcp.server.tasks",
  "after kill -9 the task of a call is found at another process, with its result",
  async () => {
    gate = Promise.withResolvers();
    const one = await startProcess(options());
    const before = provider.calls.length;
    const params = { name: "slow", arguments: { message: "a task that outlives its process" } };
    const created = await sendModern({ url: one.url, key: keys.mcp }, { method: "tools/call", params });
    const { taskId } = modernTask.parse(created.body).result;
    await eventually("the model is called", () => provider.calls.length > before);
    await one.kill();
    gate.resolve();
    const get = { method: "tasks/get", params: { taskId } };
    const done = await eventually("the task has ended", async () => {
      const now = modernTask.parse((await sendModern({ url: other.url, key: keys.mcp }, get)).body).result;
      return now.status === "completed" && now;
    });
    expect(done).toMatchObject({ result: { content: [{ text: `Asked: ${params.arguments.message}` }] } });
  },
  120_000,
);
