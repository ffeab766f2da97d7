import { afterAll, beforeAll, expect } from "vitest";
import { readConfig } from "#config/config.ts";
import { tracesUrl } from "../../../src/service/traces.ts";
import { apiOf } from "../../support/api.ts";
import { callOf } from "../../support/interactions.ts";
import { startPeer, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { startOtlpReceiver } from "../../support/traces/otlp-receiver.ts";
import type { OtlpReceiver, ReceivedSpan } from "../../support/traces/otlp-receiver.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

let receiver: OtlpReceiver;
let service: TestService;

beforeAll(async () => {
  receiver = await startOtlpReceiver();
  service = await startService({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, TRACE_CONTENT: "on" } });
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

function isRoot({ parentSpanId }: ReceivedSpan): boolean {
  return parentSpanId === undefined;
}

verifies("traces.content", "with TRACE_CONTENT=on spans contain what was said", async () => {
  const api = apiOf(service, service.keys.api);
  const agent = await createAgent(api, { tools: ["current_time"], system_prompt: "You tell the time." });
  const description = callOf("current_time", {});
  const { id } = await createTask(api, { title: "What time is it", assigned_agent_id: agent.id, description });
  const spans = await receiver.until(id.replaceAll("-", ""), (all) => all.some(isRoot));
  const attributesOf = (name: string) => spans.findLast((span) => span.name === name)?.attributes ?? {};
  const tool = attributesOf("execute_tool current_time");
  expect(tool).toMatchObject({ "gen_ai.tool.call.arguments": "{}", "gen_ai.tool.call.result": expect.any(String) });
  const model = attributesOf("chat demo");
  const read = (name: string): unknown => JSON.parse(String(model[name]));
  expect(read("gen_ai.system_instructions")).toEqual([{ type: "text", content: expect.stringContaining("the time") }]);
  expect(read("gen_ai.input.messages")).toMatchObject([
    { role: "user", parts: [{ type: "text", content: expect.stringContaining("What time is it") }] },
    { role: "assistant", parts: [{ type: "tool_call", name: "current_time", arguments: "{}" }] },
    { role: "tool", parts: [{ type: "tool_call_response", response: tool["gen_ai.tool.call.result"] }] },
  ]);
  expect(read("gen_ai.output.messages")).toMatchObject([
    { role: "assistant", parts: [{ type: "text", content: expect.any(String) }], finish_reason: "stop" },
  ]);
});

verifies("traces.sampling", "with a ratio of 0 only runs with a sampled parent are traced", async () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
    OTEL_TRACES_SAMPLER_ARG: "0",
  };
  const peer = await startPeer({ databaseUrl: service.databaseUrl, keys: service.keys, env });
  const api = apiOf(peer, peer.keys.api);
  const agent = await createAgent(api);
  const work = { assigned_agent_id: agent.id, description: "[[slow:0]][[say:done]]" };
  const { id } = await createTask(api, work);
  await taskIn(api, id, "completed");
  const [row] = await sql(service.databaseUrl, "select trace from runs where id = $1", [id]);
  expect(row?.["trace"]).toBeNull();
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const answer = await fetch(`${peer.url}/functions/v1/api-tasks`, {
    method: "POST",
    headers: {
      "x-api-key": peer.keys.api,
      "content-type": "application/json",
      traceparent: `00-${traceId}-00f067aa0ba902b7-01`,
    },
    body: JSON.stringify({ title: "Parented", ...work }),
  });
  expect(answer.status).toBe(201);
  await receiver.until(traceId, (all) => all.some(({ attributes }) => attributes["muster.run.status"] !== undefined));
  await peer.stop();
});

verifies("traces.settings", "the endpoint's path is kept, and the one of traces is used as it is", () => {
  const urlOf = (env: NodeJS.ProcessEnv) => tracesUrl(readConfig(env));
  expect(urlOf({})).toBeUndefined();
  expect(urlOf({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://otel:4318" })).toBe("http://otel:4318/v1/traces");
  expect(urlOf({ OTEL_EXPORTER_OTLP_ENDPOINT: "https://x.example/otlp/" })).toBe("https://x.example/otlp/v1/traces");
  const whole = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://x.example/in?k=1" };
  expect(urlOf({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://otel:4318", ...whole })).toBe("https://x.example/in?k=1");
});

const WRONG = [
  { OTEL_EXPORTER_OTLP_ENDPOINT: "otel:4318" },
  { OTEL_EXPORTER_OTLP_ENDPOINT: "ftp://otel" },
  { OTEL_EXPORTER_OTLP_ENDPOINT: "http://name:hidden@otel:4318" },
  { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "/v1/traces" },
  { OTEL_EXPORTER_OTLP_HEADERS: "hidden" },
  { OTEL_EXPORTER_OTLP_HEADERS: "a b=hidden" },
  { OTEL_EXPORTER_OTLP_HEADERS: "a=%zzhidden" },
  { OTEL_EXPORTER_OTLP_HEADERS: "a=hidden%0a" },
  { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" },
  { OTEL_EXPORTER_OTLP_TIMEOUT: "0" },
  { OTEL_EXPORTER_OTLP_TIMEOUT: "soon" },
  { OTEL_TRACES_SAMPLER: "jaeger_remote" },
  { OTEL_TRACES_SAMPLER_ARG: "10" },
  { OTEL_RESOURCE_ATTRIBUTES: "service" },
  { TRACE_CONTENT: "true" },
];

verifies("traces.settings", "a wrong setting is named, without its secrets", () => {
  for (const env of WRONG) {
    const [name = ""] = Object.keys(env);
    const start = () => readConfig(env);
    expect(start, JSON.stringify(env)).toThrow(name);
    expect(start, JSON.stringify(env)).not.toThrow("hidden");
  }
});
