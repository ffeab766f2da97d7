import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { ADA_ENV, bearer, signIn } from "../../support/accounts.ts";
import { consoleOf, fieldsOf, refusal, send } from "../../support/api.ts";
import type { Answer } from "../../support/api.ts";
import { startScriptedService, toolResults } from "../../support/providers/scripted-agents.ts";
import type { ScriptedAgent, ScriptedService } from "../../support/providers/scripted-agents.ts";
import { stepOf } from "../../support/run-steps.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, readAgent, taskIn } from "../../support/work.ts";

let scene: ScriptedService;
let token: string;
beforeAll(async () => {
  scene = await startScriptedService(ADA_ENV);
  token = (await signIn(scene.service)).access_token;
});
afterAll(() => scene.stop());

const desk = () => consoleOf(scene.service, scene.service.keys.api);
const fork = (id: string, body: object): Promise<Answer> => desk().post(`/runs/${id}/fork`, body);
const conversationOf = async (id: string) => fieldsOf(await desk().get(`/runs/${id}/conversation`));

async function started(answer: Promise<Answer>): Promise<string> {
  const { status, text, body } = await answer;
  expect([status, text]).toEqual([201, text]);
  const { id } = z.looseObject({ id: z.uuid() }).parse(body);
  await taskIn(scene.api, id, "completed");
  return id;
}

/** Says something to an agent as the console does, and waits for the reply. */
async function say(agent: ScriptedAgent, thread: string, content: string): Promise<void> {
  const sent = await send("POST", `${scene.service.url}/ag-ui/${agent.id}/sse`, {
    headers: bearer(token),
    body: { threadId: thread, messages: [{ id: crypto.randomUUID(), role: "user", content }] },
  });
  expect(sent.status).toBe(200);
  await taskIn(scene.api, thread, "completed");
}

/** An agent that repeats the last message, after a look at the clock if that asks for it. */
function parrot(fields: Readonly<Record<string, unknown>> = {}): Promise<ScriptedAgent> {
  return scene.player(
    (call, reply) => {
      const last = call.body.messages.at(-1);
      if (last?.role === "user" && last.content?.includes("time")) reply.callTool("current_time", {}, "look");
      else reply.say(last?.role === "tool" ? `It is ${last.content}` : `You said: ${last?.content}`);
      reply.finish();
    },
    { tools: ["current_time"], ...fields },
  );
}

const effort = z.looseObject({ effort: z.string() }).optional();
const settingsOf = ({ body }: ReturnType<ScriptedAgent["calls"]>[number]) => [
  body.model,
  body["temperature"],
  effort.parse(body["reasoning"])?.effort,
];

verifies(
  ["run-page.fork.settings", "run-page.conversation"],
  "a fork has other settings, which its conversation keeps",
  async () => {
    const agent = await parrot({ temperature: 0.2 });
    const thread = crypto.randomUUID();
    await say(agent, thread, "Hello");
    const { system_prompt: before, version } = fieldsOf(await scene.api.get(`/api-agents?id=${agent.id}`));
    const changes = { system_prompt: `${String(before)}Be brief.`, temperature: 1, model: "gpt-4o-mini" };
    const id = await started(fork(thread, { from_step: 0, changes }));
    const [first, second] = agent.calls();
    expect([first, second].map((call) => call && settingsOf(call))).toEqual([
      ["gpt-4o", 0.2, undefined],
      ["gpt-4o-mini", 1, undefined],
    ]);
    expect(second?.body.messages[0]?.content).toContain("Be brief.");
    expect(await conversationOf(id)).toMatchObject({ forked_from: { id: thread, attempt: 1 }, changes, turns: [{}] });
    expect(await conversationOf(id)).toMatchObject({ changes: { version } });

    await say(agent, id, "Again");
    const third = agent.calls().at(-1);
    expect(third && settingsOf(third)).toEqual(["gpt-4o-mini", 1, undefined]);
    expect(third?.body.messages.slice(1).map(({ content }) => content)).toEqual(["Hello", "You said: Hello", "Again"]);

    const thinking = { model: "gpt-5-mini", effort: "high", temperature: null };
    await started(fork(thread, { from_step: 0, changes: thinking }));
    const last = agent.calls().at(-1);
    expect(last && settingsOf(last)).toEqual(["gpt-5-mini", undefined, "high"]);
    const refused = refusal(await fork(thread, { from_step: 0, changes: { effort: "high" } }));
    expect(refused).toMatchObject({ status: 400, paths: ["changes.effort"] });
    expect(refused.message).toContain("reasoning cannot be adjusted");
  },
);

verifies("run-page.fork.message", "a fork answers another message, of a conversation and of a task", async () => {
  const agent = await parrot();
  const thread = crypto.randomUUID();
  await say(agent, thread, "One");
  await say(agent, thread, "Two");
  const id = await started(fork(thread, { from_step: 0, changes: { message: "Three" } }));
  expect(await conversationOf(id)).toMatchObject({
    title: "One",
    turns: [
      { message: "One", reply: "You said: One", run: { id: thread, attempt: 1 }, attempt: null },
      { message: "Three", reply: "You said: Three", run: { id, attempt: 1 }, attempt: { status: "completed" } },
    ],
  });
  const { id: task } = await createTask(scene.api, { title: "Four", assigned_agent_id: agent.id });
  await taskIn(scene.api, task, "completed");
  const other = await started(fork(task, { from_step: 0, changes: { message: "Five\nSix" } }));
  expect(await conversationOf(other)).toMatchObject({ title: "Five", turns: [{ reply: "You said: Five\nSix" }] });
  expect(refusal(await fork(thread, { from_step: 1, changes: { message: "Seven" } }))).toMatchObject({
    status: 400,
    paths: ["changes.message"],
  });
});

verifies("run-page.fork.tool-results", "a fork continues from another result of a tool", async () => {
  const agent = await parrot();
  const thread = crypto.randomUUID();
  await say(agent, thread, "What time is it?");
  const id = await started(fork(thread, { from_step: 0, changes: { tool_results: { "tool:look": "noon" } } }));
  expect(await conversationOf(id)).toMatchObject({ turns: [{ reply: "It is noon" }] });
  expect(agent.calls()).toHaveLength(3);
  expect(toolResults(agent.calls()[2])).toEqual(["noon"]);
  expect(await stepOf(scene.service, id, "tool:look")).toMatchObject({
    changed: true,
    result: "noon",
    arguments: "{}",
  });
  const unknown = refusal(await fork(thread, { from_step: 0, changes: { tool_results: { "tool:no": "x" } } }));
  expect(unknown).toMatchObject({ status: 409, message: expect.stringContaining("it has tool:look") });
  const both = { tool_results: { "tool:look": "x" }, message: "y" };
  expect(refusal(await fork(thread, { from_step: 0, changes: both }))).toMatchObject({
    status: 400,
    paths: ["changes.tool_results"],
  });
});

verifies(["run-page.fork.turn", "run-page.conversation"], "an earlier reply of a conversation is forked", async () => {
  const agent = await parrot();
  const thread = crypto.randomUUID();
  for (const text of ["One", "Two", "Three"]) await say(agent, thread, text);
  const id = await started(fork(thread, { from_step: 0, attempt: 2 }));
  expect(agent.calls()[3]?.body).toEqual(agent.calls()[1]?.body);
  expect(await conversationOf(id)).toMatchObject({ turns: [{ message: "One" }, { message: "Two" }] });
  const { turns } = await conversationOf(thread);
  expect(turns).toMatchObject([
    { message: "One", reply: "You said: One", attempt: { tokens: 18, version: 1, reruns: [] } },
    { attempt: { reruns: [{ id, status: "completed" }] } },
    { run: { id: thread, attempt: 3 }, attempt: { duration_ms: expect.any(Number), error: null, reruns: [] } },
  ]);
});

verifies("run-page.conversations", "the list has what people said, and a fork once it continues", async () => {
  const agent = await parrot();
  const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];
  await say(agent, first, "First\nline");
  await say(agent, second, "Second");
  await say(agent, second, "More");
  await createTask(scene.api, { title: "By the API", assigned_agent_id: agent.id });
  const variant = await started(fork(second, { from_step: 0 }));
  const read = async (query = "") => fieldsOf(await desk().get(`/agents/${agent.id}/conversations${query}`));
  const page = z.object({ items: z.array(z.looseObject({ id: z.string() })), next_cursor: z.string().nullable() });
  expect(page.parse(await read())).toMatchObject({
    items: [
      { id: second, title: "Second", replies: 2, status: "completed", created_by: { name: expect.any(String) } },
      { id: first, title: "First", replies: 1, cost_usd: expect.any(Number) },
    ],
    next_cursor: null,
  });
  await say(agent, variant, "Go on");
  const newest = page.parse(await read("?limit=1"));
  expect(newest.items.map(({ id }) => id)).toEqual([variant]);
  const rest = page.parse(await read(`?limit=2&cursor=${newest.next_cursor}`));
  expect([rest.items.map(({ id }) => id), rest.next_cursor]).toEqual([[second, first], null]);
  const unknown = await desk().get(`/agents/${crypto.randomUUID()}/conversations`);
  expect(refusal(unknown).status).toBe(404);
});

verifies("run-page.fork.settings", "a team's fork changes the settings of the step's agents only", async () => {
  const [one, two] = [await parrot({ temperature: 0.1 }), await parrot({ temperature: 0.1 })];
  const config = { steps: [{ agent_id: one.id }, { agent_id: two.id }] };
  const run = await startRun(scene.api, (await createTeam(scene.api, { mode: "pipeline", config })).id);
  await runIn(scene.api, run.id, "completed");
  const begun = await fork(run.id, { from_step: 1, changes: { temperature: 0.9 } });
  await runIn(scene.api, z.looseObject({ id: z.string() }).parse(begun.body).id, "completed");
  expect(two.calls().map(({ body }) => body["temperature"])).toEqual([0.1, 0.9]);
  expect((await readAgent(scene.api, two.id))["temperature"]).toBe(0.1);
  const refused = await fork(run.id, { from_step: 1, changes: { system_prompt: "x", message: "y" } });
  expect(refusal(refused)).toMatchObject({ status: 400, paths: ["changes.system_prompt", "changes.message"] });
  expect(refusal(await desk().get(`/runs/${run.id}/conversation`)).status).toBe(404);
});
