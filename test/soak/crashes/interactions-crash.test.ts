import { afterAll, beforeAll, expect } from "vitest";
import { resumingReader } from "../../support/clients/resuming-reader.ts";
import { eventually } from "../../support/eventually.ts";
import { QUESTION_TOOLS, expectWholeStreamWithQuestions, questionOf, respond } from "../../support/interactions.ts";
import { openAiAgent, startTask, taskEnd, taskNow } from "../../support/runs.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider, ProviderCall, ProviderReply } from "../../support/scripted-provider.ts";
import { createDatabase, createKeys, startProcess, startService } from "../../support/service.ts";
import type { StartOptions, TestDatabase } from "../../support/service.ts";
import { hasEnded, readToEnd } from "../../support/sse-client.ts";
import { ofType } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";

const keys = createKeys();
let database: TestDatabase;
let provider: ScriptedProvider;
let agentId: string;
/** Where the model waits in the second turn of the task that thinks. */
const gate = Promise.withResolvers<void>();

beforeAll(async () => {
  provider = await startScriptedProvider(answer);
  database = await createDatabase();
  const service = await startService(options());
  agentId = await openAiAgent(service, { tools: QUESTION_TOOLS });
  await service.stop();
});

afterAll(async () => {
  gate.resolve();
  await provider.close();
  await database.drop();
});

verifies(
  ["interactions.wait.survives-restart", "interactions.wait.paid-once", "engine.resume.paid-once"],
  "a process killed while a task waits, and while it continues, loses no question, deadline or answer",
  async () => {
    const title = "asks, then thinks";
    let service = await startProcess(options());
    const taskId = await startTask(service, agentId, { title });
    const reader = resumingReader(agentId, taskId);
    await reader.connect(service);
    await reader.until((events) => ofType(events, "INTERACTION_REQUEST").length === 1);
    const waiting = await taskNow(service, taskId);
    await service.kill();

    service = await startProcess(options());
    expect(await taskNow(service, taskId)).toEqual(waiting);
    const { interactionId } = Object(waiting["interaction"]);
    expect((await respond(service, { agentId, taskId }, { interactionId, approved: true })).status).toBe(200);
    await provider.called(title, 1);
    await service.kill();

    const last = await startService(options());
    await provider.called(title, 1, 2);
    gate.resolve();
    await reader.connect(last);
    await reader.until(hasEnded);
    const events = reader.events();
    await expectWholeStreamWithQuestions(events);
    expect(events).toEqual(await readToEnd(last, { agentId, taskId }));
    expect(ofType(events, "INTERACTION_RESPONSE")).toHaveLength(1);
    expect([0, 1].map((turn) => provider.callsOf(title, turn).length)).toEqual([1, 2]);
    const { status, usage } = await taskEnd(last, taskId);
    expect([status, usage["prompt_tokens"]]).toEqual(["completed", 22]);
    await last.stop();
  },
);

verifies(
  ["interactions.wait.survives-restart", "interactions.timeout.fails-task"],
  "a deadline that passes while no process runs fails the task at the next start",
  async () => {
    const service = await startProcess(options());
    const taskId = await startTask(service, agentId, { title: "asks briefly" });
    const { request } = await questionOf(service, { agentId, taskId });
    const { expiresAt } = Object((await taskNow(service, taskId))["interaction"]);
    await service.kill();
    await eventually("the deadline", () => Date.now() > Date.parse(expiresAt));
    const next = await startService(options());
    expect(await taskEnd(next, taskId)).toMatchObject({ status: "failed", interaction: null });
    const events = await readToEnd(next, { agentId, taskId });
    await expectWholeStreamWithQuestions(events);
    expect(ofType(events, "INTERACTION_TIMEOUT")).toMatchObject([{ interactionId: request["interactionId"] }]);
    expect(events.at(-1)?.event).toMatchObject({ type: "RUN_ERROR", code: "INTERACTION_TIMEOUT" });
    await next.stop();
  },
);

/** What the model does; the task's title selects it: it asks, then answers. */
async function answer({ task, turn }: ProviderCall, reply: ProviderReply): Promise<void> {
  if (turn === 0) {
    reply.callTool("request_approval", { title: "Question?", timeoutMs: task === "asks briefly" ? 1_500 : 60_000 });
  } else {
    await gate.promise;
    reply.say("Thank you.");
  }
  reply.finish();
}

function options(): StartOptions {
  return { databaseUrl: database.url, keys, env: { ...provider.env } };
}
