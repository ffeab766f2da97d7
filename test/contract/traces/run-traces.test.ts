import { afterAll, beforeAll, expect } from "vitest";
import { apiOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { callOf, questionOf, respond } from "../../support/interactions.ts";
import { freePort } from "../../support/free-port.ts";
import { setStatus } from "../../support/runs.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { createTeam, startRun } from "../../support/teams.ts";
import { startOtlpReceiver } from "../../support/traces/otlp-receiver.ts";
import type { OtlpReceiver, ReceivedSpan } from "../../support/traces/otlp-receiver.ts";
import { eventually } from "../../support/eventually.ts";
import { verifies } from "../../support/verifies.ts";
import { FAILING, createAgent, createTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

let receiver: OtlpReceiver;
let service: TestService;
let api: Api;
let metricsUrl: string;

beforeAll(async () => {
  receiver = await startOtlpReceiver();
  const port = await freePort();
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/base/`,
    OTEL_EXPORTER_OTLP_HEADERS: "X-Key=a%20secret",
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
    OTEL_SERVICE_NAME: "desk",
    OPS_PORT: String(port),
  };
  service = await startService({ env });
  api = apiOf(service, service.keys.api);
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

function traceOf(runId: string): string {
  return runId.replaceAll("-", "");
}

function hasRoot(spans: readonly ReceivedSpan[]): boolean {
  return spans.some(({ parentSpanId }) => parentSpanId === undefined);
}

/** The names of a tree, each below its parent, in the order of their beginnings. */
function treeOf(spans: readonly ReceivedSpan[], parent?: string, depth = 0): string[] {
  return spans
    .filter(({ parentSpanId }) => parentSpanId === parent)
    .toSorted((a, b) => a.startTimeUnixNano.localeCompare(b.startTimeUnixNano))
    .flatMap(({ name, spanId }) => ["  ".repeat(depth) + name, ...treeOf(spans, spanId, depth + 1)]);
}

verifies(["traces.tree", "traces.names", "traces.content", "traces.settings"], "a run is a tree of spans", async () => {
  const agent = await createAgent(api, { name: "Clerk" });
  const description = callOf("current_time", {});
  const task = await createTask(api, { title: "A secret wish", assigned_agent_id: agent.id, description });
  const spans = await receiver.until(traceOf(task.id), hasRoot);
  expect(treeOf(spans)).toEqual(["invoke_agent Clerk", "  chat demo", "  execute_tool current_time", "  chat demo"]);
  const [root, first, tool] = ["invoke_agent Clerk", "chat demo", "execute_tool current_time"].map((name) =>
    spans.find((span) => span.name === name),
  );
  expect(root?.attributes).toMatchObject({
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.id": agent.id,
    "gen_ai.agent.name": "Clerk",
    "gen_ai.agent.version": "1",
    "gen_ai.conversation.id": task.id,
    "muster.run.attempt": 1,
    "muster.run.source": "api",
  });
  expect(first).toMatchObject({ kind: "SPAN_KIND_CLIENT" });
  expect(first?.attributes).toMatchObject({
    "gen_ai.operation.name": "chat",
    "gen_ai.provider.name": "demo",
    "gen_ai.request.model": "demo",
    "gen_ai.response.finish_reasons": ["tool_calls"],
    "gen_ai.usage.input_tokens": expect.any(Number),
    "gen_ai.usage.output_tokens": expect.any(Number),
    "gen_ai.response.time_to_first_chunk": expect.any(Number),
  });
  expect(tool?.attributes).toMatchObject({
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.tool.name": "current_time",
    "gen_ai.tool.call.id": expect.any(String),
  });
  expect(JSON.stringify(spans)).not.toContain("secret");
  const request = receiver.requests.find((one) => one.spans.some(({ traceId }) => traceId === traceOf(task.id)));
  expect(request?.path).toBe("/base/v1/traces");
  expect(request?.headers).toMatchObject({ "x-key": "a secret", "content-type": "application/x-protobuf" });
  expect(request?.resource).toMatchObject({
    "service.name": "desk",
    "service.version": expect.any(String),
    "deployment.environment.name": "test",
  });
  await eventually("no export is left", async () => {
    const left = "select from trace_exports where subject_id = $1";
    return (await sql(service.databaseUrl, left, [task.id])).length === 0;
  });
});

verifies("traces.tree", "a team's run has its turns in between", async () => {
  const [one, other] = [await createAgent(api, { name: "Ann" }), await createAgent(api, { name: "Bob" })];
  const steps = [one, other].map(({ id }) => ({ agent_id: id, instructions: "[[slow:0]][[say:done]]" }));
  const team = await createTeam(api, { name: "Crew", config: { steps } });
  const run = await startRun(api, team.id);
  const spans = await receiver.until(traceOf(run.id), hasRoot);
  expect(treeOf(spans)).toEqual([
    "invoke_workflow Crew",
    "  invoke_agent Ann",
    "    chat demo",
    "  invoke_agent Bob",
    "    chat demo",
  ]);
  const task = await createTask(api, { assigned_team_id: team.id });
  expect(treeOf(await receiver.until(traceOf(task.id), hasRoot))).toEqual(treeOf(spans));
});

verifies(
  ["traces.wait", "traces.tree"],
  "spans before a question are exported while the run waits for it",
  async () => {
    const agent = await createAgent(api, { name: "Asker", tools: ["request_approval"] });
    const description = callOf("request_approval", { title: "A private question" });
    const { id } = await createTask(api, { assigned_agent_id: agent.id, description });
    const { interactionId } = await questionOf(service, { agentId: agent.id, taskId: id });
    const before = await receiver.until(traceOf(id), (spans) => spans.length > 0);
    expect(before.map(({ name }) => name)).toEqual(["chat demo"]);
    await respond(service, { agentId: agent.id, taskId: id }, { interactionId, approved: true });
    const spans = await receiver.until(traceOf(id), hasRoot);
    expect(treeOf(spans)).toEqual([
      "invoke_agent Asker",
      "  chat demo",
      "  execute_tool request_approval",
      "  wait for answer",
      "  chat demo",
    ]);
    expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
    expect(JSON.stringify(spans)).not.toContain("private");
  },
);

verifies(
  ["traces.attempts", "traces.failure"],
  "attempts are trees in one trace, with the error of a failed one",
  async () => {
    const agent = await createAgent(api, { name: "Failer" });
    const { id } = await createTask(api, { assigned_agent_id: agent.id, description: FAILING });
    await taskIn(api, id, "failed");
    await setStatus(service, id, "dispatched");
    const roots = await receiver
      .until(traceOf(id), (spans) => spans.filter(({ parentSpanId }) => parentSpanId === undefined).length === 2)
      .then((spans) => spans.filter(({ parentSpanId }) => parentSpanId === undefined));
    expect(new Set(roots.map(({ spanId }) => spanId)).size).toBe(2);
    expect(new Set(roots.map(({ attributes }) => attributes["muster.run.attempt"]))).toEqual(new Set([1, 2]));
    for (const { status, attributes } of roots) {
      expect(status).toEqual({ code: "STATUS_CODE_ERROR", message: attributes["error.type"] });
    }
  },
);

verifies("traces.metrics", "the metrics count spans and show the lag", async () => {
  await eventually("the metrics of traces", async () => {
    const text = await (await fetch(metricsUrl)).text();
    return (
      /^muster_trace_spans_total\{outcome="sent"\} [1-9]/m.test(text) && /^muster_trace_lag_seconds \d/m.test(text)
    );
  });
});
