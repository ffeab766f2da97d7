import { afterAll, beforeAll, expect } from "vitest";
import { openAiAgent, startTask, taskEnd } from "../../support/runs.ts";
import { useProvider } from "../../support/providers/scripted-agents.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";

const ANSWER = "Said.";
const DOWN = "all but one model are down";

let provider: ScriptedProvider;
let service: SharedService;

beforeAll(async () => {
  provider = await startScriptedProvider(({ task, body }, reply) => {
    if (task === DOWN && body.model !== "gpt-3.5-turbo") return reply.refuse(400, `${body.model} is down`);
    reply.say(ANSWER);
    reply.finish();
  });
  service = await useProvider(provider);
});
afterAll(() => provider.close());

/** Lets an agent with these fields do a task; returns its end and the bodies of its model calls. */
async function run(title: string, fields: object) {
  const end = await taskEnd(service, await startTask(service, await openAiAgent(service, { ...fields }), { title }));
  return { end, bodies: provider.callsOf(title).map(({ body }) => body) };
}

verifies("providers.fallback-model", "fallback models are called in their order until one replies", async () => {
  const { end, bodies } = await run(DOWN, { fallback_models: ["gpt-4-turbo", "gpt-3.5-turbo", "gpt-4o-mini"] });
  expect(end).toMatchObject({ status: "completed", result: ANSWER });
  expect(bodies.map(({ model }) => model)).toEqual(["gpt-4o", "gpt-4-turbo", "gpt-3.5-turbo"]);
});

verifies("agents.write.temperature-null", "a provider gets no temperature from an agent without one", async () => {
  const { end, bodies } = await run("no temperature", { temperature: null });
  expect([end.status, bodies[0]?.["temperature"]]).toEqual(["completed", undefined]);
  expect((await run("a temperature", { temperature: 0 })).bodies[0]?.["temperature"]).toBe(0);
});

verifies("agents.create.newer-model", "a model outside the catalogue is called at the agent's provider", async () => {
  const { end, bodies } = await run("newer", { provider: "openai", model: "gpt-99-omega" });
  expect([end.status, bodies.map(({ model }) => model)]).toEqual(["completed", ["gpt-99-omega"]]);
});
