import { afterAll, beforeAll, describe, expect } from "vitest";
import { openDelegationScene } from "../../support/a2a/delegation-scene.ts";
import { rpc, userMessage } from "../../support/a2a/a2a.ts";
import { apiOf, consoleOf, fieldsOf, send } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { createTool } from "../../support/custom-tools.ts";
import { createRoute, startReceiver } from "../../support/destinations/deliveries.ts";
import type { Receiver } from "../../support/destinations/deliveries.ts";
import { eventually } from "../../support/eventually.ts";
import { callOf } from "../../support/interactions.ts";
import { startMcpServer } from "../../support/mcp/server.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { rawTable } from "../../support/table-api.ts";
import { createTeam } from "../../support/teams.ts";
import { startOtlpReceiver } from "../../support/traces/otlp-receiver.ts";
import type { OtlpReceiver, ReceivedSpan } from "../../support/traces/otlp-receiver.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, createTask } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

const PARENT = "00f067aa0ba902b7";

let otlp: OtlpReceiver;
let service: TestService;
let provider: ScriptedProvider;
let hooks: Receiver;
let api: Api;
let desk: Api;
let agentId: string;
let teamId: string;
let traces = 0;

beforeAll(async () => {
  [otlp, hooks] = [await startOtlpReceiver(), await startReceiver()];
  provider = await startScriptedProvider((_call, reply) => {
    reply.say("done");
    reply.finish();
  });
  const env = { ...provider.env, OTEL_EXPORTER_OTLP_ENDPOINT: otlp.url, ALLOW_PRIVATE_URLS: "true" };
  service = await startService({ env });
  api = apiOf(service, service.keys.api);
  desk = consoleOf(service, service.keys.api);
  agentId = (await createAgent(api, { name: "Door", is_mcp_published: true })).id;
  teamId = (await createTeam(api)).id;
});
afterAll(async () => {
  await service.stop();
  await Promise.all([otlp.close(), hooks.close(), provider.close()]);
});

/** A new trace that someone else has begun. */
function newTrace(): { readonly traceId: string; readonly traceparent: string } {
  const traceId = (traces += 1).toString(16).padStart(32, "a");
  return { traceId, traceparent: `00-${traceId}-${PARENT}-01` };
}

function isRoot({ attributes }: ReceivedSpan): boolean {
  return attributes["muster.run.status"] !== undefined;
}

/** The ways to create a run, each with the traceparent of its request. */
const DOORS: Readonly<Record<string, (traceparent: string) => Promise<{ readonly status: number } | undefined>>> = {
  "the envelope API": (traceparent) =>
    post("/functions/v1/api-tasks", { "x-api-key": service.keys.api, traceparent }, work()),
  "a team's run": (traceparent) =>
    post(
      "/functions/v1/api-runs",
      { "x-api-key": service.keys.api, traceparent },
      { team_id: teamId, input_task: "Go" },
    ),
  "the table API": async (traceparent) => {
    const [row] = await sql(service.databaseUrl, "select workspace_id from agents where id = $1", [agentId]);
    const { title, description } = work();
    const body = { title, description, agent_id: agentId, workspace_id: row?.["workspace_id"] };
    return rawTable(service)("POST", "/tasks", { headers: { traceparent }, body });
  },
  "AG-UI": (traceparent) =>
    post(
      `/ag-ui/${agentId}/sse`,
      { authorization: `Bearer ${service.keys.agui}`, traceparent },
      { threadId: crypto.randomUUID(), messages: [{ id: "1", role: "user", content: QUICK }] },
    ),
  A2A: async (traceparent) => {
    const params = userMessage(QUICK);
    const { error } = await rpc(service, agentId, { method: "message/send", params, headers: { traceparent } });
    return { status: error === undefined ? 200 : 400 };
  },
  "the _meta of an MCP call": (traceparent) =>
    post(
      "/mcp",
      { authorization: `Bearer ${service.keys.mcp}`, accept: "application/json, text/event-stream" },
      {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "door", arguments: { message: QUICK }, _meta: { traceparent } },
      },
    ),
  "OpenAI's API": (traceparent) =>
    post(
      "/v1/chat/completions",
      { authorization: `Bearer ${service.keys.api}`, traceparent },
      { model: agentId, messages: [{ role: "user", content: QUICK }] },
    ),
  "a trigger": async (traceparent) => {
    const made = await desk.post("/triggers", { name: "Door", title: "Go", assigned_agent_id: agentId });
    const { url } = fieldsOf(made);
    return send("POST", String(url), { headers: { traceparent }, body: {} });
  },
};

function work() {
  return { title: "Work", description: QUICK, assigned_agent_id: agentId };
}

function post(path: string, headers: Readonly<Record<string, string>>, body: unknown) {
  return send("POST", service.url + path, { headers, body });
}

describe.each(Object.entries(DOORS))("%s", (_name, open) => {
  verifies("traces.in", "continues the trace of the request", async () => {
    const { traceId, traceparent } = newTrace();
    const answer = await open(traceparent);
    expect(answer?.status, JSON.stringify(answer)).toBeLessThan(300);
    const spans = await otlp.until(traceId, (all) => all.some(isRoot));
    expect(spans.find(isRoot)?.parentSpanId).toBe(PARENT);
  });
});

verifies("traces.in.invalid", "an invalid traceparent is ignored: the run begins a trace", async () => {
  for (const traceparent of ["no", `00-${"0".repeat(32)}-${PARENT}-01`, `ff-${"a".repeat(32)}-${PARENT}-01`]) {
    const answer = await post("/functions/v1/api-tasks", { "x-api-key": service.keys.api, traceparent }, work());
    const id = String(fieldsOf(answer)["id"]);
    const spans = await otlp.until(id.replaceAll("-", ""), (all) => all.some(isRoot));
    expect(spans.find(isRoot)?.parentSpanId).toBeUndefined();
  }
});

verifies("traces.in", "a request that is not sampled creates a run that is not, and passes that on", async () => {
  await createRoute(desk, `${hooks.url}/unsampled`);
  const traceparent = `00-${"b".repeat(32)}-${PARENT}-00`;
  await post("/functions/v1/api-tasks", { "x-api-key": service.keys.api, traceparent }, work());
  const [sent] = await eventually("the delivery", () => Promise.resolve(nonEmpty(hooks.requests("/unsampled"))));
  expect(sent?.headers["traceparent"]).toBe(traceparent);
  expect(otlp.spansOf("b".repeat(32))).toEqual([]);
});

verifies(
  ["traces.out", "traces.tree"],
  "custom tools, MCP servers, remote agents and receivers get their span",
  async () => {
    const server = await startMcpServer("stateless");
    const scene = await openDelegationScene(service);
    await scene.withRemote({ protocol: "1.0", streaming: false }, async (remote, remoteId) => {
      await desk.post("/mcp-servers", { name: "files", url: server.url });
      const tool = await createTool(service, {
        name: "look_up",
        url: `${hooks.url}/tool`,
        parameters: { type: "object" },
      });
      const route = await createRoute(desk, `${hooks.url}/result`);
      const caller = await createAgent(api, {
        tools: [`custom:${tool}`, "mcp:files/echo", "a2a_delegate"],
        output_route_ids: [route.id],
      });
      const description = [
        callOf("look_up", {}),
        callOf("files--echo", { text: "hi" }),
        callOf("a2a_delegate", { agent_id: remoteId, message: "say hello" }),
      ].join("\n");
      const { id } = await createTask(api, { assigned_agent_id: caller.id, description });
      const traceId = id.replaceAll("-", "");
      const spans = await otlp.until(
        traceId,
        (all) => all.some(isRoot) && all.some(({ name }) => name === "deliver http"),
      );
      const sentTo = {
        "execute_tool look_up": hooks.requests("/tool")[0]?.headers["traceparent"],
        "execute_tool files--echo": server.calls[0]?.traceparent,
        "execute_tool a2a_delegate": remote.seen.find(({ method }) => method === "POST")?.headers["traceparent"],
        "deliver http": hooks.requests("/result")[0]?.headers["traceparent"],
      };
      for (const [name, traceparent] of Object.entries(sentTo)) {
        const span = spans.find((one) => one.name === name);
        expect(traceparent, name).toBe(`00-${traceId}-${span?.spanId}-01`);
        expect(span?.parentSpanId, name).toBe(spans.find(isRoot)?.spanId);
      }
    });
    await server.close();
  },
);

verifies("traces.out", "model providers get no traceparent", async () => {
  const model = await createAgent(api, { model: "gpt-4o", tools: [] });
  const { id } = await createTask(api, { title: "with a model", assigned_agent_id: model.id });
  await otlp.until(id.replaceAll("-", ""), (all) => all.some(isRoot));
  const [call] = provider.callsOf("with a model");
  expect(call?.headers).not.toHaveProperty("traceparent");
});

function nonEmpty<T>(list: readonly T[]): readonly T[] | false {
  return list.length > 0 && list;
}
