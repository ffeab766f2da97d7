import { afterAll, beforeAll, expect } from "vitest";
import { fieldsOf, listOf, refusal } from "../../support/api.ts";
import { goldenOf } from "../../support/golden.ts";
import type { Golden } from "../../support/golden.ts";
import { questionOf, respond } from "../../support/interactions.ts";
import { openToolScene } from "../../support/tool-scene.ts";
import type { ToolScene } from "../../support/tool-scene.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const UNKNOWN = "01900000-0000-7000-8000-000000000000";

let scene: ToolScene;
let golden: Golden;
beforeAll(async () => {
  scene = await openToolScene();
  golden = goldenOf(scene.service, scene.api);
});
afterAll(() => scene.close());

/** An agent with a tool of the endpoint, and a task that calls it. */
async function caller() {
  const { agentId, name } = await scene.toolFor({});
  return { agentId, name, description: `[[tool:${name} {"city":"Bonn","days":2}]]` };
}

verifies(
  ["golden.keep", "golden.run", "golden.run.apart"],
  "a kept run is tried again from its record; the endpoint of its tool hears nothing",
  async () => {
    const { agentId, name, description } = await caller();
    const id = await golden.ended(agentId, { title: "Weather", description });
    await scene.console.call("PUT", `/runs/${id}/feedback`, { body: { rating: "up", note: "Good." } });
    const kept = await golden.keep(id);
    expect(kept).toMatchObject({
      agent_id: agentId,
      name: "Weather",
      source_run_id: id,
      input: { title: "Weather", description, conversation: null, files: 0 },
      tools: [{ name, arguments: '{"city":"Bonn","days":2}', isError: false }],
      checks: [{ type: "exact" }],
      feedback: [{ note: "Good." }],
      agent_version: 1,
    });
    const heard = scene.endpoint.seen.length;

    const { id: runId } = await golden.start(agentId);
    const run = await golden.ends(runId);
    expect(run).toMatchObject({ status: "passed", cases: 1, passed: 1, version: 1, model: "demo" });
    expect(run.results).toMatchObject([
      { case_id: kept.id, status: "passed", checks: [{ type: "exact", passed: true }], after: { tools: [name] } },
    ]);
    expect(scene.endpoint.seen).toHaveLength(heard);

    const task = run.results[0]?.run_id ?? "";
    const listed = (query: string) => scene.console.get(`/runs?agent_id=${agentId}${query}`);
    const items = async (query: string) => fieldsOf(await listed(query))["items"];
    expect(await items("")).toMatchObject([{ id }]);
    expect(await items("&source=golden")).toMatchObject([{ id: task, source: { kind: "golden", id: runId } }]);
    const stored = await sql(
      scene.service.databaseUrl,
      `select (select count(*)::int from run_ends where run_id = $1) as ends,
        (select count(*)::int from usage_records where task_id = $1) as usage`,
      [task],
    );
    expect(stored).toEqual([{ ends: 0, usage: 2 }]);
  },
);

verifies("golden.keep", "a case expects the newest correction of its run", async () => {
  const { id: agentId } = await createAgent(scene.api);
  const id = await golden.ended(agentId, { title: "Sum", description: "[[say:5]]" });
  await scene.console.call("PUT", `/runs/${id}/feedback`, { body: { rating: "down", correction: "4" } });
  expect(await golden.keep(id)).toMatchObject({ expected: "4", result: "5" });
  const run = await golden.ends((await golden.start(agentId)).id);
  expect(run).toMatchObject({ status: "failed", failed: 1 });
  expect(run.results[0]?.checks).toEqual([
    { type: "exact", passed: false, reason: "The result differs: it has “5” in the place of “4”." },
  ]);
});

verifies("golden.run.diverged", "a call that the record lacks ends the case, and nothing is called", async () => {
  const { agentId, name, description } = await caller();
  const kept = await golden.keep(await golden.ended(agentId, { title: "Weather", description }));
  const heard = scene.endpoint.seen.length;
  await sql(
    scene.service.databaseUrl,
    `update golden_cases set tools = replace(tools::text, 'Bonn', 'Rome')::json where id = $1`,
    [kept.id],
  );
  const run = await golden.ends((await golden.start(agentId)).id);
  expect(run).toMatchObject({ status: "failed", diverged: 1 });
  const reason = `The agent called ${name} with {"city":"Bonn","days":2}; the record has no such call. Nothing was called.`;
  expect(run.results).toMatchObject([{ status: "diverged", reason, checks: [] }]);
  expect(scene.endpoint.seen).toHaveLength(heard);
});

verifies("golden.run.diverged", "recorded answers of people are used, and nobody is asked", async () => {
  const tools = ["request_input"];
  const { id: agentId } = await createAgent(scene.api, { tools });
  const description = '[[tool:request_input {"title":"Which city?"}]]';
  const { id } = await createTask(scene.api, { title: "Ask", description, assigned_agent_id: agentId });
  const { interactionId } = await questionOf(scene.service, { agentId, taskId: id });
  const answered = await respond(scene.service, { agentId, taskId: id }, { interactionId, text: "Bonn" });
  expect(answered.status, answered.text).toBe(200);
  await taskIn(scene.api, id, "completed");
  const kept = await golden.keep(id);
  expect(kept.tools).toMatchObject([{ name: "request_input", output: expect.stringContaining("Bonn") }]);
  const again = await golden.ends((await golden.start(agentId)).id);
  expect(again).toMatchObject({ status: "passed" });
});

verifies("golden.run.refused", "an unknown agent or version, or an agent without cases, is refused", async () => {
  const { id: agentId } = await createAgent(scene.api);
  expect(refusal(await golden.tryToStart(UNKNOWN))).toMatchObject({ status: 404, message: "Agent not found" });
  expect(refusal(await golden.tryToStart(agentId))).toMatchObject({
    status: 409,
    message: "This agent has no golden cases: keep a run as golden first.",
  });
  await golden.keep(await golden.ended(agentId, { title: "Hello", description: "[[say:Hi]]" }));
  expect(refusal(await golden.tryToStart(agentId, { version: 9 }))).toMatchObject({
    status: 404,
    message: "Version not found",
  });
  expect(refusal(await golden.tryToStart(agentId, { model: "no-such-model" }))).toMatchObject({ status: 400 });
});

verifies("golden.keep.refused", "what cannot be kept is refused in one sentence", async () => {
  const { id: agentId } = await createAgent(scene.api);
  const failed = await golden.ended(agentId, { title: "Fail", description: "[[fail:boom]]" }, "failed");
  expect(refusal(await golden.tryToKeep(failed))).toMatchObject({
    status: 409,
    message: "This run has no result and nobody has corrected it: set expected, or correct it first.",
  });
  expect(await golden.keep(failed, { expected: "It works." })).toMatchObject({ expected: "It works.", result: null });
  expect(refusal(await golden.tryToKeep(failed, { expected: "It works." }))).toMatchObject({
    status: 409,
    message: "This run is kept as golden already.",
  });
  expect(refusal(await golden.tryToKeep(UNKNOWN))).toMatchObject({ status: 404 });
  const done = await golden.ended(agentId, { title: "Done", description: "[[say:Done]]" });
  for (const [check, message] of [
    [{ type: "pattern", pattern: "(" }, "checks.0.pattern must be a regular expression in the syntax of RE2"],
    [{ type: "judge", agent_id: UNKNOWN, rubric: "Good?" }, "checks.0.agent_id: the workspace has no such agent"],
    [{ type: "json_schema", schema: { type: "nothing" } }, "checks.0.schema"],
  ] as const) {
    const refused = refusal(await golden.tryToKeep(done, { checks: [check] }));
    expect(refused).toMatchObject({ status: 400, message: expect.stringContaining(message) });
  }
  await sql(
    scene.service.databaseUrl,
    `insert into golden_cases (id, workspace_id, agent_id, name, source_run_id, source_attempt, input, tools, expected,
       feedback, checks, cost_usd, tokens, duration_ms)
     select gen_random_uuid(), workspace_id, id, 'Many', gen_random_uuid(), 1, '{}', '[]', 'x', '[]', '[]', 0, 0, 0
     from agents, generate_series(1, 199) where id = $1`,
    [agentId],
  );
  expect(refusal(await golden.tryToKeep(done))).toMatchObject({
    status: 409,
    message: "An agent has at most 200 golden cases; delete one first.",
  });
});

verifies("golden.checks", "each check passes and fails with its reason", async () => {
  const { id: agentId } = await createAgent(scene.api);
  const description = '[[say:{"total": 1,204.5}]]';
  const kept = await golden.keep(await golden.ended(agentId, { title: "Total", description }));
  const outcomes = async (checks: readonly object[], expected = kept.expected) => {
    const changed = await scene.console.patch(`/golden/cases/${kept.id}`, { checks, expected });
    expect(changed.status, changed.text).toBe(200);
    const run = await golden.ends((await golden.start(agentId)).id);
    return run.results[0]?.checks.map(({ passed, reason }) => (passed ? "" : reason));
  };
  expect(
    await outcomes([
      { type: "contains", value: "TOTAL", ignore_case: true },
      { type: "contains", value: "TOTAL" },
      { type: "pattern", pattern: "\\d+\\.\\d" },
      { type: "pattern", pattern: "^(a+)+$" },
      { type: "json_schema", schema: { type: "object" } },
      { type: "tools" },
      { type: "tools", called: ["wait"] },
      { type: "cost", max_usd: 0 },
      { type: "time", max_ms: 60_000 },
    ]),
  ).toEqual([
    "",
    "The result lacks “TOTAL”.",
    "",
    "Nothing in the result matches “^(a+)+$”.",
    expect.stringContaining("The result is not JSON"),
    "",
    "It called no tool; expected: wait.",
    "",
    "",
  ]);
  const near = { type: "numbers", within: 1 };
  expect(await outcomes([near, { ...near, unit: "percent" }], "The total is 1,200.")).toEqual([
    "Number 1 is 1204.5, and 1200 is expected.",
    "",
  ]);
  expect(await outcomes([near], "None")).toEqual(["The result has 1 numbers, and 0 are expected."]);
});

verifies("golden.run", "a candidate is a version, or changes that no version has", async () => {
  const { id: agentId } = await createAgent(scene.api);
  await golden.keep(await golden.ended(agentId, { title: "Hello", description: "[[say:Hi]]" }));
  const shouted = { output_template: { type: "Markdown", body: "{{task_result}}!" } };
  const changed = await golden.ends((await golden.start(agentId, { changes: shouted })).id);
  expect(changed).toMatchObject({ status: "failed", version: null });
  expect(changed.results[0]?.after.result).toBe("Hi!");
  expect((await scene.api.patch(`/api-agents?id=${agentId}`, shouted)).status).toBe(200);
  expect(await golden.ends((await golden.start(agentId)).id)).toMatchObject({ status: "failed", version: 2 });
  expect(await golden.ends((await golden.start(agentId, { version: 1 })).id)).toMatchObject({
    status: "passed",
    version: 1,
  });
  expect(listOf(await scene.console.get(`/agents/${agentId}/golden/runs`))).toHaveLength(3);
});

verifies(
  "golden.run.cancel",
  "a cancelled golden run ends, and running its tasks again changes no result",
  async () => {
    const { id: agentId } = await createAgent(scene.api);
    await golden.keep(await golden.ended(agentId, { title: "Slow", description: "[[slow:0]][[say:a]]" }));
    await sql(
      scene.service.databaseUrl,
      `update golden_cases set input = replace(input::text, 'slow:0', 'slow:60000')::json where agent_id = $1`,
      [agentId],
    );
    const { id } = await golden.start(agentId);
    const cancelled = await scene.console.post(`/golden/runs/${id}/cancel`, undefined);
    expect(cancelled.body).toMatchObject({ status: "failed", cancelled: 1 });
    const task = (await golden.read(id)).results[0]?.run_id ?? "";
    await sql(scene.service.databaseUrl, `update runs set description = '[[say:a]]' where id = $1`, [task]);
    await scene.api.patch(`/api-tasks?id=${task}`, { status: "dispatched" });
    expect(await golden.read(id)).toMatchObject({ status: "failed", cancelled: 1 });
  },
);

verifies("golden.run.concurrent", "50 cases of two golden runs at once pass", async () => {
  const { agentId, description } = await caller();
  const kept = await golden.keep(await golden.ended(agentId, { title: "Weather", description }));
  await sql(
    scene.service.databaseUrl,
    `insert into golden_cases select (json_populate_record(c, json_build_object('id', gen_random_uuid(),
       'source_attempt', n))).* from golden_cases c, generate_series(2, 50) n where c.id = $1`,
    [kept.id],
  );
  const heard = scene.endpoint.seen.length;
  const started = await Promise.all([golden.start(agentId), golden.start(agentId)]);
  for (const { id } of started) {
    expect(await golden.ends(id)).toMatchObject({ status: "passed", cases: 50, passed: 50 });
  }
  expect(scene.endpoint.seen).toHaveLength(heard);
});

verifies("golden.sets", "runs that failed and were corrected are kept at once, and others are skipped", async () => {
  const { id: agentId } = await createAgent(scene.api);
  const say = (id: string, body: object) => scene.console.call("PUT", `/runs/${id}/feedback`, { body });
  const fail = () => golden.ended(agentId, { title: "Fail", description: "[[fail:boom]]" }, "failed");
  const [corrected, noted] = [await fail(), await fail(), await fail()];
  await golden.ended(agentId, { title: "Fine", description: "[[say:Fine]]" });
  await say(corrected, { correction: "It works." });
  await say(noted, { note: "Broken." });
  const set = () =>
    scene.console.post(`/agents/${agentId}/golden/cases`, { filter: { status: ["failed"], feedback: ["note"] } });
  const message = "This run has no result and nobody has corrected it: set expected, or correct it first.";
  expect((await set()).body).toEqual({ kept: [expect.any(String)], skipped: [{ run_id: noted, message }] });
  expect(listOf(await scene.console.get(`/agents/${agentId}/golden/cases`))).toMatchObject([
    { source_run_id: corrected, expected: "It works." },
  ]);
  expect((await set()).body).toMatchObject({ kept: [], skipped: [{ run_id: corrected }, { run_id: noted }] });
});
