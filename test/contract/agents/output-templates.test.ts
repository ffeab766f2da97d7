import { Client } from "pg";
import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, consoleOf, fieldsOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { openAiAgent, startTask, taskEnd } from "../../support/runs.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { createDatabase, startProcess, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { readToEnd } from "../../support/sse-client.ts";
import { expectWholeStream, messagesIn, ofType } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import type { TaskFields } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

/** What the model says, whatever it is asked: nothing of it may be expanded or escaped. */
const SAID = '{{task_title}} $& "<b>", {{nothing}}';
const REFUSED = "refused";
/** The title of a task whose model answers when the test releases it. */
const HELD = "held";
const letGo = Promise.withResolvers<void>();
const WITH_TOOL = "with a tool";
const ALL = "{{task_title}}|{{task_result}}|{{agent_name}}|{{timestamp}}|{{tokens_used}}|{{model}}";

let provider: ScriptedProvider;
let service: TestService;
let api: Api;
let library: Api;

beforeAll(async () => {
  provider = await startScriptedProvider(async (call, reply) => {
    if (call.body.model === "gpt-4o" && call.task === REFUSED) return reply.refuse(400, "no");
    if (call.task === HELD) await letGo.promise;
    if (call.task === WITH_TOOL && call.turn === 0) reply.callTool("current_time", {});
    else reply.say(SAID);
    reply.finish();
  });
  service = await startService({ env: providerEnv() });
  api = apiOf(service, service.keys.api);
  library = consoleOf(service, service.keys.api);
});
afterAll(async () => {
  await service.stop();
  await provider.close();
});

function providerEnv() {
  return { ...provider.env };
}

async function run(agentId: string, title = "Work"): Promise<TaskFields> {
  return taskEnd(service, await startTask(service, agentId, { title }));
}

function agentWith(body: string, fields: object = {}): Promise<string> {
  return openAiAgent(service, { output_template: { type: "Custom", body }, ...fields });
}

async function save(body: string): Promise<string> {
  return String(fieldsOf(await library.post("/output-templates", { name: "House", type: "Markdown", body }))["id"]);
}

verifies(
  [
    "templates.variables",
    "templates.task-result",
    "templates.timestamp",
    "templates.result-dressed",
    "templates.one-pass",
    "templates.raw",
  ],
  "the result is the template with all six variables filled in, once",
  async () => {
    const before = Date.now();
    const end = await run(await agentWith(ALL, { name: "Clerk" }), "{{model}} report");
    const [title, result, agent, timestamp = "", tokens, model] = end.result?.split("|") ?? [];
    expect([title, result, agent, tokens, model]).toEqual(["{{model}} report", SAID, "Clerk", "18", "gpt-4o"]);
    expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(Date.parse(timestamp)).toBeGreaterThanOrEqual(before);
    expect(Date.parse(timestamp)).toBeLessThanOrEqual(Date.parse(end.completed_at ?? ""));
  },
);

verifies("templates.unknown-variable", "text that is not a variable stays unchanged", async () => {
  const body = "{{nothing}} {{ Task_Result }} {{}} {task_title} {{ task_title }}";
  expect(await run(await agentWith(body))).toMatchObject({
    result: "{{nothing}} {{ Task_Result }} {{}} {task_title} Work",
  });
});

verifies("templates.raw", "no type of template escapes its values", async () => {
  for (const type of ["Markdown", "JSON", "HTML", "CSV", "Custom"]) {
    const agentId = await openAiAgent(service, { output_template: { type, body: '"{{task_result}}"' } });
    expect(await run(agentId)).toMatchObject({ status: "completed", result: `"${SAID}"` });
  }
});

verifies(
  "templates.timestamp.replay",
  "a run whose process dies between the last answer and the end has the time of the answer",
  async () => {
    const database = await createDatabase();
    const start = () => startProcess({ databaseUrl: database.url, keys: service.keys, env: providerEnv() });
    const dying = await start();
    const output_template = { type: "Custom", body: "{{timestamp}} {{tokens_used}} {{model}}" };
    const taskId = await startTask(dying, await openAiAgent(dying, { output_template }), { title: HELD });
    await provider.called(HELD, 0);
    // A lock on the row keeps the run from ending; its answer is recorded nevertheless.
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    await holder.query("begin");
    await holder.query("select from tasks where id = $1 for update", [taskId]);
    letGo.resolve();
    await eventually("the answer is recorded", async () => {
      return (await sql(database.url, "select from run_steps where run_id = $1", [taskId])).length > 0;
    });
    await dying.kill();
    // PostgreSQL would continue with the statement of a disconnected client.
    await sql(
      database.url,
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
    );
    const died = new Date().toISOString();
    await holder.end();

    const heir = await start();
    try {
      const end = await taskEnd(heir, taskId);
      const [timestamp = "", ...rest] = end.result?.split(" ") ?? [];
      expect([end.status, ...rest]).toEqual(["completed", "18", "gpt-4o"]);
      expect(timestamp < died && died < (end.completed_at ?? "")).toBe(true);
      expect(provider.callsOf(HELD)).toHaveLength(1);
    } finally {
      await heir.stop();
      await database.drop();
    }
  },
  { tags: "slow" },
);

verifies("templates.tokens-used", "the tokens are those of all calls, as in the task's usage", async () => {
  const end = await run(await agentWith("{{tokens_used}}"), WITH_TOOL);
  expect(end).toMatchObject({ result: "36", usage: { total_tokens: 36 } });
});

verifies("templates.model", "the model is the one that answered", async () => {
  const end = await run(await agentWith("{{model}}", { fallback_model: "gpt-4o-mini" }), REFUSED);
  expect(end).toMatchObject({ status: "completed", result: "gpt-4o-mini" });
});

verifies("templates.stream", "the stream has the model's words, and the filled template at its end", async () => {
  const agentId = await agentWith("<{{task_result}}>");
  const { id } = await run(agentId);
  const events = await readToEnd(service, { agentId, taskId: id });
  await expectWholeStream(events);
  expect(messagesIn(events)).toEqual([SAID]);
  expect(ofType(events, "RUN_FINISHED")).toMatchObject([{ result: `<${SAID}>` }]);
});

verifies("templates.failed-not-dressed", "a run that fails has its error and no result", async () => {
  expect(await run(await agentWith(ALL), REFUSED)).toMatchObject({ status: "failed", result: null });
});

verifies(
  ["templates.saved", "templates.saved.edit", "templates.saved.delete", "agents.write.output-template-id"],
  "a saved template, as of dispatch, takes precedence over the agent's own until it is deleted",
  async () => {
    const output_template_id = await save("saved");
    const agentId = await agentWith("own", { output_template_id });
    const other = await openAiAgent(service);
    const changed = await api.patch(`/api-agents?id=${other}`, { output_template_id });
    expect(fieldsOf(changed)).toMatchObject({ output_template_id, output_template: null });
    expect([(await run(agentId)).result, (await run(other)).result]).toEqual(["saved", "saved"]);
    await library.patch(`/output-templates/${output_template_id}`, { body: "edited" });
    expect([(await run(agentId)).result, (await run(other)).result]).toEqual(["edited", "edited"]);
    expect((await library.delete(`/output-templates/${output_template_id}`)).status).toBe(204);
    expect([(await run(agentId)).result, (await run(other)).result]).toEqual(["own", SAID]);
  },
);

verifies("templates.limits", "a body that is empty, too long or repeats the result too often is rejected", async () => {
  for (const body of ["", "x".repeat(100_001), "{{task_result}}".repeat(11)]) {
    const own = await api.post("/api-agents", { name: "A", model: "demo", output_template: { type: "CSV", body } });
    expect(refusal(own)).toMatchObject({ status: 400, paths: ["output_template.body"] });
    const saved = await library.post("/output-templates", { name: "T", type: "CSV", body });
    expect(refusal(saved)).toMatchObject({ status: 400, paths: ["body"] });
  }
  expect((await run(await agentWith("{{task_result}}".repeat(10)))).result).toBe(SAID.repeat(10));
});
