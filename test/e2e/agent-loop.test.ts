import { afterAll, beforeAll, expect } from "vitest";
import { openAiAgent, startTask, taskEnd } from "../support/runs.ts";
import { startScriptedProvider } from "../support/scripted-provider.ts";
import type { ScriptedProvider, ProviderCall, ProviderReply } from "../support/scripted-provider.ts";
import { startService } from "../support/service.ts";
import type { TestService } from "../support/service.ts";
import { readToEnd } from "../support/sse-client.ts";
import { expectWholeStream, ofType } from "../support/valid-stream.ts";
import { verifies } from "../support/verifies.ts";
import { sql } from "../support/workspace.ts";

const MAX_STEPS = 4;
const MAX_REPEATS = 2;
/** Seconds; every other run here takes a small part of that. */
const TASK_TIMEOUT = 6;
/** List prices of gpt-4o in USD per token. */
const PROMPT_PRICE = 2.5 / 1_000_000;
const COMPLETION_PRICE = 10 / 1_000_000;

/** A tool call as the model writes it: the tool's name and the arguments, as JSON text or to become it. */
type Asked = readonly [name: string, args: unknown];

/** What the model asks for in its first turn, by the task's title; then it answers with text. */
const asks: Readonly<Record<string, readonly Asked[]>> = {
  "one tool": [["current_time", { time_zone: "Europe/Berlin" }]],
  "two tools": [
    ["wait", { seconds: 0 }],
    ["current_time", {}],
  ],
  "an unknown tool": [["launch_rocket", {}]],
  "a tool it does not have": [["wait", { seconds: 0 }]],
  "no JSON": [["wait", '{"seconds":']],
  "wrong arguments": [["wait", { seconds: "many", colour: "red" }]],
  "a tool that fails": [["current_time", { time_zone: "Nowhere/At_All" }]],
};

let provider: ScriptedProvider;
let service: TestService;

beforeAll(async () => {
  provider = await startScriptedProvider(answer);
  service = await startService({
    env: {
      ...provider.env,
      MAX_STEPS: String(MAX_STEPS),
      MAX_REPEATS: String(MAX_REPEATS),
      TASK_TIMEOUT: String(TASK_TIMEOUT),
    },
  });
});

afterAll(async () => {
  await service.stop();
  await provider.close();
});

verifies("engine.loop.tools", "a tool's result is returned to the model, which then replies", async () => {
  const { end, outputs } = await run("one tool");
  expect(end).toMatchObject({ status: "completed", result: "Answered." });
  expect(outputs).toEqual([expect.stringContaining("Europe/Berlin")]);
});

verifies("engine.loop.several-tools", "all tool calls of one reply are executed, in their order", async () => {
  const { end, outputs } = await run("two tools");
  expect(end.status).toBe("completed");
  expect(outputs).toEqual(["Waited 0 s.", expect.stringContaining("UTC")]);
});

const repaired = [
  {
    verifies: "engine.loop.unknown-tool",
    title: "an unknown tool",
    says: /no tool .*launch_rocket.*wait, current_time/,
  },
  { verifies: "engine.loop.bad-arguments", title: "no JSON", says: /not valid JSON/ },
  {
    verifies: "engine.loop.bad-arguments",
    title: "wrong arguments",
    says: /schema\. seconds must be .*; colour: unknown field/,
  },
  { verifies: "engine.loop.tool-error", title: "a tool that fails", says: /Nowhere\/At_All/ },
] as const;

for (const { title, says, ...row } of repaired) {
  verifies(row.verifies, `the model is told what was wrong with ${title}, and the run continues`, async () => {
    const { end, outputs } = await run(title);
    expect(end).toMatchObject({ status: "completed", result: "Answered." });
    expect(outputs).toEqual([expect.stringMatching(says)]);
  });
}

verifies("engine.loop.unknown-tool", "a tool that the agent does not list is unknown to it", async () => {
  const { end, outputs } = await run("a tool it does not have", ["current_time"]);
  expect(end.status).toBe("completed");
  expect(outputs).toEqual([expect.stringMatching(/no tool .*wait.*current_time/)]);
});

verifies(
  ["engine.loop.turn-limit", "usage.record.failed-runs", "usage.task.sum"],
  "a model that never stops calling tools fails the task at the limit, and what it used is recorded",
  async () => {
    const { end } = await run("never stops");
    expect(end).toMatchObject({ status: "failed", result: null });
    expect(end.error).toContain(String(MAX_STEPS));
    expect(provider.callsOf("never stops")).toHaveLength(MAX_STEPS);
    expect(await usageOf(end.id)).toHaveLength(MAX_STEPS);
    expect(end.usage).toMatchObject({ prompt_tokens: 11 * MAX_STEPS, completion_tokens: 7 * MAX_STEPS });
  },
);

verifies(
  "engine.loop.last-turn-notice",
  "before its last call the model is warned once that it must reply now",
  async () => {
    await run("never stops");
    const notices = provider
      .callsOf("never stops")
      .slice(-MAX_STEPS)
      .map(({ body }) => body.messages.filter(({ content }) => content?.includes("Notice of the service")).length);
    expect(notices).toEqual([0, 0, 0, 1]);
  },
);

verifies(
  "engine.loop.repeats",
  "a call repeated too often is not made and warns the model; after another one the run fails",
  async () => {
    const { end, events } = await run("repeats itself");
    expect(end).toMatchObject({ status: "failed", result: null });
    expect(end.error).toMatch(/wait with the same arguments more than 2 times/);
    expect(ofType(events, "TOOL_CALL_END").map(({ result }) => result)).toEqual([
      "Waited 0 s.",
      "Waited 0 s.",
      expect.stringMatching(/not made.*asking once more ends the run/),
    ]);
    expect(ofType(events, "RUN_ERROR")).toMatchObject([{ code: "TOOL_LOOP" }]);
  },
);

verifies("engine.loop.repeats", "a model that heeds the warning completes", async () => {
  expect((await run("stops repeating itself")).end).toMatchObject({ status: "completed", result: "Answered." });
});

verifies("engine.task-timeout", "a run that takes longer than the setting allows fails with the reason", async () => {
  const { end, events } = await run("takes too long");
  expect(end).toMatchObject({ status: "failed", error: `The run took longer than ${TASK_TIMEOUT} s.` });
  expect(ofType(events, "RUN_ERROR")).toMatchObject([{ code: "TASK_TIMEOUT" }]);
  await provider.callsOf("takes too long")[0]?.gone;
});

verifies(
  "engine.loop.several-tools",
  "a model that gives calls of different turns the same id gets each of them made and streamed",
  async () => {
    const { end, events } = await run("repeats its ids");
    expect(end.status).toBe("completed");
    expect(ofType(events, "TOOL_CALL_END").map(({ result }) => result)).toEqual(["Waited 0 s.", "Waited 0.01 s."]);
  },
);

verifies(
  [
    "usage.record.fields",
    "usage.record.per-turn",
    "usage.record.model-used",
    "usage.cost.by-catalogue",
    "usage.billing.per-token",
    "usage.task.sum",
  ],
  "each turn writes one usage record at the catalogue's prices, and the task shows their sum",
  async () => {
    const { end, agentId } = await run("one tool");
    const cost = 11 * PROMPT_PRICE + 7 * COMPLETION_PRICE;
    const record = {
      task_id: end.id,
      agent_id: agentId,
      provider: "openai",
      model: "gpt-4o",
      prompt_tokens: 11,
      completion_tokens: 7,
      estimated_cost_usd: Number(cost.toFixed(8)),
      billing_model: "per-token",
    };
    expect(await usageOf(end.id)).toEqual([record, record]);
    expect(end.usage["cost_usd"]).toBeCloseTo(2 * cost, 8);
    expect(end.usage).toMatchObject({ prompt_tokens: 22, completion_tokens: 14, total_tokens: 36 });
  },
);

function answer({ task, turn }: ProviderCall, reply: ProviderReply): void {
  if (task === "takes too long") return reply.say("Hm");
  if (task === "never stops") reply.callTool("wait", { seconds: turn / 100 });
  else if (task === "repeats itself") reply.callTool("wait", turn % 2 === 0 ? '{"seconds":0}' : '{ "seconds": 0 }');
  else if (task === "stops repeating itself" && turn < MAX_REPEATS + 1) reply.callTool("wait", { seconds: 0 });
  else if (task === "repeats its ids" && turn < 2) reply.callTool("wait", { seconds: turn / 100 }, "call_1");
  else if (turn === 0) for (const [name, args] of asks[task] ?? []) reply.callTool(name, args);
  else reply.say("Answered.");
  reply.finish();
}

/** Runs a task to its end; also returns what its tools returned to the model in the second turn. */
async function run(title: string, tools = ["wait", "current_time"]) {
  const agentId = await openAiAgent(service, { tools });
  const taskId = await startTask(service, agentId, { title });
  const events = await readToEnd(service, { agentId, taskId });
  await expectWholeStream(events);
  const [second] = provider.callsOf(title, 1).slice(-1);
  const messages = second?.body.messages ?? [];
  const outputs = messages.filter(({ role }) => role === "tool").map(({ content }) => content);
  return { end: await taskEnd(service, taskId), agentId, events, outputs };
}

function usageOf(taskId: string) {
  return sql(
    service.databaseUrl,
    `select task_id, agent_id, provider, model, prompt_tokens, completion_tokens,
       estimated_cost_usd::double precision, billing_model
     from usage_records where task_id = $1 order by step`,
    [taskId],
  );
}
