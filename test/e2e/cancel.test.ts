import { afterAll, beforeAll, expect } from "vitest";
import { environmentOf, runMuster } from "../support/muster.ts";
import { openAiAgent, setStatus, startTask, taskNow } from "../support/runs.ts";
import { workStopped } from "../support/running-on.ts";
import { startScriptedProvider } from "../support/scripted-provider.ts";
import type { ScriptedProvider, ProviderCall, ProviderReply } from "../support/scripted-provider.ts";
import { createDatabase, createKeys, startService } from "../support/service.ts";
import type { TestDatabase, TestService } from "../support/service.ts";
import { readToEnd } from "../support/sse-client.ts";
import { verifies } from "../support/verifies.ts";
import { sql } from "../support/workspace.ts";

let database: TestDatabase;
let provider: ScriptedProvider;
let one: TestService;
let other: TestService;
let agentId: string;
const keys = createKeys();

beforeAll(async () => {
  provider = await startScriptedProvider(answer);
  database = await createDatabase();
  one = await start();
  other = await start();
  agentId = await openAiAgent(one);
});

afterAll(async () => {
  await Promise.all([one.stop(), other.stop()]);
  await provider.close();
  await database.drop();
});

verifies(
  ["engine.cancel.aborts-model-call", "cli.tasks.cancel"],
  "muster tasks cancel closes the provider's connection",
  async () => {
    const task = await startTask(one, agentId, { title: "cancelled by hand" });
    const call = await provider.called("cancelled by hand", 0);
    const { code } = await runMuster(["tasks", "cancel", task], { env: environmentOf(other) });
    expect(code).toBe(0);
    await call.gone;
    const events = await readToEnd(one, { agentId, taskId: task });
    expect(events.at(-1)?.event).toMatchObject({ type: "RUN_ERROR", code: "CANCELLED" });
  },
);

verifies(
  ["engine.cancel.across-processes", "engine.cancel.notice-lost"],
  "a cancel with a lost notification closes the provider's connection when processes listen again",
  async () => {
    const task = await startTask(one, agentId, { title: "cancelled unheard" });
    const call = await provider.called("cancelled unheard", 0);
    await sql(
      database.url,
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'",
    );
    await setStatus(other, task, "cancelled");
    await call.gone;
    await workStopped(database.url, task);
    expect(await taskNow(one, task)).toMatchObject({ status: "cancelled", result: null });
  },
);

verifies(
  ["engine.cancel.aborts-model-call", "providers.fault.pause-cancelled"],
  "a task that is cancelled during the wait for a retry makes no retry",
  async () => {
    const task = await startTask(one, agentId, { title: "waits a minute" });
    await provider.called("waits a minute", 0);
    await setStatus(other, task, "cancelled");
    await workStopped(database.url, task);
    expect(provider.callsOf("waits a minute")).toHaveLength(1);
  },
);

/** Never ends its reply; or asks for patience. */
function answer({ task }: ProviderCall, reply: ProviderReply): void {
  if (task === "waits a minute") reply.refuse(429, "Slow down.", { "retry-after": "60" });
  else reply.say("And ");
}

function start(): Promise<TestService> {
  return startService({
    databaseUrl: database.url,
    keys,
    env: { ...provider.env },
  });
}
