import { afterAll, beforeAll, expect } from "vitest";
import { eventually } from "../../support/eventually.ts";
import { openAiAgent, startTask, taskEnd } from "../../support/runs.ts";
import { runningOn } from "../../support/running-on.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ProviderCall, ProviderReply, ScriptedProvider } from "../../support/scripted-provider.ts";
import { createDatabase, createKeys, startProcess } from "../../support/service.ts";
import type { TestDatabase, TestProcess } from "../../support/service.ts";
import { startOtlpReceiver } from "../../support/traces/otlp-receiver.ts";
import type { OtlpReceiver } from "../../support/traces/otlp-receiver.ts";
import { verifies } from "../../support/verifies.ts";

let database: TestDatabase;
let provider: ScriptedProvider;
let receiver: OtlpReceiver;
let processes: readonly TestProcess[] = [];
const keys = createKeys();
const gate = Promise.withResolvers<void>();

beforeAll(async () => {
  [database, receiver] = [await createDatabase(), await startOtlpReceiver()];
  provider = await startScriptedProvider(answer);
  const env = { ...provider.env, OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, LEASE_MS: "1000" };
  const start = () => startProcess({ databaseUrl: database.url, keys, env });
  processes = [await start(), await start()];
});

afterAll(async () => {
  gate.resolve();
  await Promise.all(processes.map((one) => one.stop()));
  await Promise.all([provider.close(), receiver.close()]);
  await database.drop();
});

/** Calls a tool, and then waits until the gate opens. */
async function answer({ turn }: ProviderCall, reply: ProviderReply): Promise<void> {
  if (turn === 0) reply.callTool("current_time", {});
  else {
    await gate.promise;
    reply.say("done");
  }
  reply.finish();
}

verifies(
  "traces.takeover",
  "a run that another process finishes after kill -9 is one tree",
  async () => {
    const [first] = processes;
    if (first === undefined) throw new Error("Two processes run.");
    const agentId = await openAiAgent(first, { name: "Clerk", tools: ["current_time"] });
    const id = await startTask(first, agentId, { title: "killed" });
    await provider.called("killed", 1);
    const pid = await eventually("the run's process", async () => (await runningOn(database.url)).get(id));
    const victim = processes.find((one) => one.process.pid === pid);
    const survivor = processes.find((one) => one !== victim);
    if (victim === undefined || survivor === undefined) throw new Error("One of the two runs it.");
    await victim.kill();
    await eventually("the takeover", () => Promise.resolve(provider.callsOf("killed", 1).length === 2));
    gate.resolve();
    expect((await taskEnd(survivor, id)).status).toBe("completed");

    const traceId = id.replaceAll("-", "");
    const isRoot = ({ name }: { readonly name: string }) => name === "invoke_agent Clerk";
    const spans = await receiver.until(traceId, (all) => all.some(isRoot));
    const root = spans.find(isRoot);
    expect(spans.map(({ name }) => name).toSorted()).toEqual([
      "chat gpt-4o",
      "chat gpt-4o",
      "execute_tool current_time",
      "invoke_agent Clerk",
    ]);
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
    for (const span of spans) expect(span.parentSpanId).toBe(span === root ? undefined : root?.spanId);
    expect(root?.events.map(({ name }) => name)).toEqual(["muster.execution_lost"]);
  },
  { tags: "slow" },
);
