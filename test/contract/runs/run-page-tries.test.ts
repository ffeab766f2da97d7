import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, fieldsOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { saying, startScriptedAgents } from "../../support/providers/scripted-agents.ts";
import type { ScriptedAgents } from "../../support/providers/scripted-agents.ts";
import { runJanitor } from "../../support/run-janitor.ts";
import { askRun, stepOf, stepsOf } from "../../support/run-steps.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { readToEnd } from "../../support/sse-client.ts";
import { ofType } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const SECOND = 1_000;
const KEY = "sk-secret-of-this-test-0001";

let service: TestService;
let silent: TestService;
let api: Api;
let cast: ScriptedAgents;

beforeAll(async () => {
  cast = await startScriptedAgents();
  const env = { OPENAI_BASE_URL: cast.provider.baseUrl, OPENAI_API_KEY: KEY, MODEL_ATTEMPTS: "2" };
  service = await startService({ env });
  silent = await startService({ env: { ...env, RECORD_PROMPTS: "false", RECORD_RAW: "off" } });
  api = apiOf(service, service.keys.api);
});
afterAll(async () => {
  await service.stop();
  await silent.stop();
  await cast.provider.close();
});

verifies(
  ["run-page.step.tries", "run-page.events.retry"],
  "a retried call shows each try with its pause, on another model too, and never the key",
  async () => {
    const player = await cast.player(
      api,
      (call, reply) => {
        if (call.body.model === "gpt-4o") return reply.refuse(503, `Overloaded, ${KEY}.`, { "retry-after": "1" });
        reply.say("at last");
        reply.finish();
      },
      { fallback_model: "gpt-4o-mini" },
    );
    const { id } = await createTask(api, { title: "Patience", assigned_agent_id: player.id });
    await taskIn(api, id, "completed");
    const [row] = await stepsOf(service, id);
    expect(row).toMatchObject({ model: "gpt-4o-mini", status: "completed", tries: 3 });
    expect(row?.wait_ms).toBeGreaterThanOrEqual(SECOND);
    const step = await stepOf(service, id, "model:0");
    const message = "Overloaded, [redacted].";
    expect(step.attempts).toMatchObject([
      { model: "gpt-4o", status: 503, message, retry_after_ms: SECOND },
      { model: "gpt-4o", status: 503, message, waited_ms: 0 },
      { model: "gpt-4o-mini", status: 200, message: null, waited_ms: 0 },
    ]);
    expect(step.attempts[0]?.waited_ms).toBeGreaterThanOrEqual(SECOND);
    for (const [index, { started_at, ended_at }] of step.attempts.entries()) {
      expect(ended_at).toBeGreaterThanOrEqual(started_at);
      expect(started_at).toBeGreaterThanOrEqual(step.attempts[index - 1]?.ended_at ?? 0);
    }
    expect(row?.failed_tries).toEqual(
      step.attempts.slice(0, 2).map(({ started_at, ended_at }) => ({ started_at, ended_at })),
    );
    expect(step.exchanges.map((exchange) => exchange.try)).toEqual([0, 1]);
    expect(step.exchanges[0]?.request).toContain("Task Title: Patience");
    expect(step.exchanges[0]?.response).toContain("Overloaded");
    const stored =
      "select result::text || coalesce(exchanges::text, '') || coalesce(tries::text, '') as all from run_steps";
    expect(JSON.stringify(await sql(service.databaseUrl, stored))).not.toContain(KEY);

    const events = ofType(await readToEnd(service, { agentId: player.id, taskId: id }), "CUSTOM");
    expect(events).toMatchObject([
      { name: "model_retry", value: { step: "model:0", model: "gpt-4o", try: 2, of: 2, message } },
    ]);
  },
  30 * SECOND,
);

verifies("run-page.step.not-recorded", "with the settings off, neither prompts nor bodies are kept", async () => {
  const own = apiOf(silent, silent.keys.api);
  const player = await cast.player(own, (call, reply) => {
    if (call.nth === 1) return reply.refuse(503, "Overloaded.");
    reply.say("hello");
    reply.finish();
  });
  const { id } = await createTask(own, { title: "Discretion", assigned_agent_id: player.id });
  await taskIn(own, id, "completed");
  expect(await stepOf(silent, id, "model:0")).toMatchObject({
    request: null,
    exchanges: [],
    attempts: [{ status: 503 }, { status: 200 }],
    reply: { text: "hello" },
  });
});

verifies("run-page.retention.purged", "after the retention the head has result, cost and a note", async () => {
  const player = await cast.player(api, saying("kept"));
  const { id } = await createTask(api, { title: "Old", assigned_agent_id: player.id });
  await taskIn(api, id, "completed");
  for (const [table, run, column] of [
    ["task_events", "log_id", "created_at"],
    ["task_event_pages", "log_id", "created_at"],
    ["run_steps", "run_id", "created_at"],
    ["run_executions", "run_id", "ended_at"],
  ] as const) {
    const age = `update ${table} set ${column} = now() - interval '38 days' where ${run} = $1`;
    await sql(service.databaseUrl, age, [id]);
  }
  await runJanitor(service);
  const gone = fieldsOf(await askRun(service, id));
  expect(gone).toMatchObject({
    details: "purged",
    status: "completed",
    result: "kept",
    tokens: 18,
    attempts: [{ n: 1, tokens: 18 }],
    executions: [],
  });
  expect(await stepsOf(service, id)).toEqual([]);
});
