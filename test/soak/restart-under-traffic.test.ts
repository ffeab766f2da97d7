import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf } from "../support/api.ts";
import { crashesOf, logCrashes } from "../support/hosts/crash-log.ts";
import { eventually } from "../support/eventually.ts";
import { openAiAgent, taskEnd } from "../support/runs.ts";
import { startScriptedProvider } from "../support/scripted-provider.ts";
import type { ScriptedProvider } from "../support/scripted-provider.ts";
import { createDatabase, createKeys, startProcess } from "../support/service.ts";
import type { TestDatabase, TestProcess } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";

const SECOND = 1_000;
const RESTARTS = 4;
const BETWEEN_RESTARTS_MS = 2_000;
const POST_EVERY_MS = 1_000 / 16;
const ANSWER_MS = 150;
/** After a refused connection. All that wait would otherwise take the processor from the service that starts. */
const RETRY_AFTER_MS = 200;

const created = z.object({ id: z.uuid() });

let database: TestDatabase;
let provider: ScriptedProvider;
let service: TestProcess;
const keys = createKeys();

beforeAll(async () => {
  provider = await startScriptedProvider(async (_, reply) => {
    await sleep(ANSWER_MS);
    reply.say("done");
    reply.finish();
  });
  database = await createDatabase();
  await logCrashes(database.url);
  service = await start();
});

afterAll(async () => {
  await service.stop();
  await provider.close();
  await database.drop();
});

verifies(
  ["start.restart.paid-once", "start.restart.no-crash"],
  `${RESTARTS} restarts under 16 posts a second pay no call twice and count no run as crashed`,
  async () => {
    const agentId = await openAiAgent(service);
    const posts: Promise<string>[] = [];
    const traffic = setInterval(() => posts.push(post(agentId, `task ${posts.length}`)), POST_EVERY_MS);
    for (let restart = 0; restart < RESTARTS; restart++) {
      await sleep(BETWEEN_RESTARTS_MS);
      await service.stop();
      service = await start();
    }
    clearInterval(traffic);
    const ids = await Promise.all(posts);
    expect(ids.length).toBeGreaterThan(RESTARTS * 16);
    const ends = await Promise.all(ids.map((id) => taskEnd(service, id)));
    expect(ends.filter(({ status }) => status !== "completed")).toEqual([]);
    const calls = ids.map((_, n) => provider.callsOf(`task ${n}`).length);
    expect(calls.filter((count) => count !== 1)).toEqual([]);
    expect(await crashesOf(database.url)).toEqual([]);
  },
  180 * SECOND,
);

/** Posts a task until it is accepted, as a client with an Idempotency-Key does; returns its id. */
function post(agentId: string, title: string): Promise<string> {
  return eventually(
    `"${title}" is accepted`,
    async () => {
      const body = { title, assigned_agent_id: agentId };
      const headers = { "Idempotency-Key": title };
      const answer = await apiOf(service, keys.api)
        .call("POST", "/api-tasks", { body, headers })
        .catch(() => sleep(RETRY_AFTER_MS));
      return answer?.status === 201 ? created.parse(answer.body).id : undefined;
    },
    90 * SECOND,
  );
}

function start(): Promise<TestProcess> {
  const env = { OPENAI_API_KEY: "test", OPENAI_BASE_URL: provider.baseUrl };
  return startProcess({ databaseUrl: database.url, keys, env });
}
