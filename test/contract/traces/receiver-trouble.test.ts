import { afterAll, beforeAll, beforeEach, expect } from "vitest";
import { apiOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { startPeer, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { startOtlpReceiver } from "../../support/traces/otlp-receiver.ts";
import type { OtlpReceiver, ReceivedSpan } from "../../support/traces/otlp-receiver.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, createTask, taskIn } from "../../support/work.ts";
import { addWorkspace, sql } from "../../support/workspace.ts";

let receiver: OtlpReceiver;
let service: TestService;
let api: Api;
let agentId: string;

beforeAll(async () => {
  receiver = await startOtlpReceiver();
  const env = {
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${receiver.url}/traces?team=1`,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_EXPORTER_OTLP_TIMEOUT: "300",
    LOG_LEVEL: "warn",
  };
  service = await startService({ env });
  api = apiOf(service, service.keys.api);
  agentId = (await createAgent(api, { name: "Clerk" })).id;
});
beforeEach(() => receiver.answerWith(() => ({ status: 200 })));
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

/** Runs a task to its end; returns the id of its trace. */
async function run(): Promise<string> {
  const { id } = await createTask(api, { assigned_agent_id: agentId, description: QUICK });
  await taskIn(api, id, "completed");
  return id.replaceAll("-", "");
}

function isWhole(spans: readonly ReceivedSpan[]): boolean {
  return spans.length === 2;
}

/** The requests with spans of a trace. */
function requestsOf(traceId: string): number {
  return receiver.requests.filter(({ spans }) => spans.some((span) => span.traceId === traceId)).length;
}

const TROUBLES = ["hang", 401, 404, 429, 503] as const;

for (const trouble of TROUBLES) {
  verifies("traces.receiver.trouble", `spans wait while the receiver answers ${trouble}, and runs go on`, async () => {
    receiver.answerWith(() => (trouble === "hang" ? "hang" : { status: trouble }));
    const traceId = await run();
    await eventually("the first try", () => Promise.resolve(requestsOf(traceId) > 0));
    const second = await run();
    receiver.answerWith(() => ({ status: 200 }));
    for (const one of [traceId, second]) {
      const spans = await receiver.until(one, isWhole);
      expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(2);
    }
  });
}

verifies("traces.receiver.wait", "the exporter waits as long as Retry-After says", async () => {
  const times: number[] = [];
  receiver.answerWith(() => {
    times.push(performance.now());
    return times.length === 1 ? { status: 503, headers: { "retry-after": "3" } } : { status: 200 };
  });
  const traceId = await run();
  await receiver.until(traceId, isWhole);
  const [first = 0, second = 0] = times;
  expect(second - first).toBeGreaterThan(2_900);
});

verifies("traces.receiver.rejects", "spans that are rejected by 400 or in part are not sent again", async () => {
  receiver.answerWith(() => ({ status: 400 }));
  const bad = await run();
  await eventually("nothing is left", async () => (await left()) === 0);
  expect(requestsOf(bad)).toBe(1);
  receiver.answerWith(() => ({ status: 200, rejectedSpans: 1 }));
  const partly = await run();
  await eventually("nothing is left", async () => (await left()) === 0);
  expect(requestsOf(partly)).toBe(1);
  expect(service.output().stderr).toContain("rejected spans");
});

verifies("traces.receiver.rejects", "fewer spans are sent at once after 413", async () => {
  receiver.answerWith(({ spans }) => ({ status: spans.length > 1 ? 413 : 200 }));
  const traceId = await run();
  const spans = await receiver.until(traceId, isWhole);
  expect(spans).toHaveLength(2);
});

verifies("traces.retention", "spans that waited longer than RETENTION_DAYS are given up", async () => {
  receiver.answerWith(() => ({ status: 503 }));
  const traceId = await run();
  await eventually("the first try", () => Promise.resolve(requestsOf(traceId) > 0));
  await sql(service.databaseUrl, "update trace_exports set ready_at = now() - interval '31 days'");
  receiver.answerWith(() => ({ status: 200 }));
  await eventually("nothing is left", async () => (await left()) === 0);
  expect(receiver.spansOf(traceId)).toEqual([]);
  expect(service.output().stderr.match(/longer than RETENTION_DAYS/g)).toHaveLength(1);
});

verifies("traces.fair", "a workspace with a long backlog does not delay another", async () => {
  receiver.answerWith(() => ({ status: 503 }));
  const traceId = await run();
  await eventually("the first try", () => Promise.resolve(requestsOf(traceId) > 0));
  // Deliveries that no longer exist stand for a backlog, which another workspace has had for longer.
  const { workspaceId } = await addWorkspace(service.databaseUrl);
  await sql(
    service.databaseUrl,
    `insert into trace_exports (subject_id, attempt, workspace_id, trace, ready_at)
     select gen_random_uuid(), 0, $1, '00-${"c".repeat(32)}-${"d".repeat(16)}-01', now() - interval '1 day'
     from generate_series(1, 2000)`,
    [workspaceId],
  );
  const order = `select count(*)::integer as backlog from trace_exports where workspace_id = $1`;
  let backlog: unknown = 2_000;
  receiver.answerWith(() => ({ status: 200 }));
  await eventually("the other workspace's spans", async () => {
    const spans = receiver.spansOf(traceId);
    if (spans.length < 2) [{ backlog }] = await firstOf(sql(service.databaseUrl, order, [workspaceId]));
    return spans.length === 2;
  });
  expect(backlog).toBeGreaterThan(1_900);
});

verifies("traces.off", "without an endpoint nothing is traced", async () => {
  const peer = await startPeer({ databaseUrl: service.databaseUrl, keys: service.keys });
  const own = apiOf(peer, peer.keys.api);
  const headers = { "x-api-key": peer.keys.api, traceparent: `00-${"e".repeat(32)}-${"f".repeat(16)}-01` };
  const answer = await fetch(`${peer.url}/functions/v1/api-tasks`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ title: "Untraced", assigned_agent_id: agentId, description: QUICK }),
  });
  expect(answer.status).toBe(201);
  const [row] = await sql(service.databaseUrl, "select id, trace from runs where title = 'Untraced'");
  await taskIn(own, String(row?.["id"]), "completed");
  expect(row?.["trace"]).toBeNull();
  expect(await sql(service.databaseUrl, "select from trace_exports where subject_id = $1", [row?.["id"]])).toEqual([]);
  await peer.stop();
});

async function firstOf<T>(rows: Promise<readonly T[]>): Promise<[T]> {
  const [first] = await rows;
  if (first === undefined) throw new Error("The query gave no row.");
  return [first];
}

async function left(): Promise<number> {
  return (await sql(service.databaseUrl, "select from trace_exports")).length;
}
