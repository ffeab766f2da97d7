import { afterAll, beforeAll, expect } from "vitest";
import { openDatabase } from "#db/open-database.ts";
import { passGate } from "#db/queries/queue/model-gates.ts";
import { newId } from "#lib/ids.ts";
import { apiOf, consoleOf } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { openAiAgent, setStatus, startTask, taskEnd, taskNow } from "../../support/runs.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ProviderCall, ProviderReply, ScriptedProvider } from "../../support/scripted-provider.ts";
import { createDatabase, startPeer, startProcess, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { openWorkspaceIn } from "../../support/shared-service.ts";
import { readToEnd } from "../../support/sse-client.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { ofType } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { sql } from "../../support/workspace.ts";

/** How long the provider rejects, in seconds; longer than the time limit of a run. */
const CLOSED = 5;
const TASK_TIMEOUT = "4";
const SECOND = 1_000;
const REJECTED_BRANCH = "You are the one that is rejected.";
const BUSY = { requests: 60, runs: 40 };

let provider: ScriptedProvider;
let database: TestDatabase;
let service: TestService;
let peer: TestService;

beforeAll(async () => {
  provider = await startScriptedProvider(answer);
  database = await createDatabase();
  const env = { ...provider.env, MODEL_ATTEMPTS: "2", TASK_TIMEOUT };
  service = await startService({ env, databaseUrl: database.url });
  peer = await startPeer({ env, databaseUrl: database.url, keys: service.keys });
});
afterAll(async () => {
  await Promise.all([service.stop(), peer.stop()]);
  await provider.close();
  await database.drop();
});

let told = BUSY.requests;
let branchRejections = 0;

function answer({ task, nth, body }: ProviderCall, reply: ProviderReply): void {
  if (task.startsWith("rejected") && nth === 1)
    return reply.refuse(429, "Slow down.", { "retry-after": String(CLOSED) });
  if (body.messages.some(({ content }) => content?.includes(REJECTED_BRANCH)) && (branchRejections += 1) === 1) {
    return reply.refuse(429, "Slow down.", { "retry-after": String(CLOSED) });
  }
  if (task === "always rejected") return reply.refuse(429, "Slow down.", { "retry-after": "3" });
  if (task.startsWith("long rejected")) return reply.refuse(429, "Slow down.", { "retry-after": "50" });
  if (task.startsWith("unnumbered")) return answerUnnumbered(task, nth, reply);
  if (body.model === "gpt-4-turbo") return reply.refuse(503, "Down.");
  const isBusy = body.model === "gpt-4o-mini";
  reply.tell({
    "x-ratelimit-limit-requests": isBusy ? String(BUSY.requests) : "10000",
    "x-ratelimit-remaining-requests": isBusy ? String((told -= 1)) : "9999",
    "x-ratelimit-reset-requests": "1m0s",
  });
  reply.say("Done.");
  reply.finish();
}

/** A provider that tells no numbers rejects one call for a moment, and another for long. */
function answerUnnumbered(task: string, nth: number, reply: ProviderReply): void {
  if (nth === 1 && task.endsWith("for a moment")) return reply.refuse(429, "Slow down.", { "retry-after-ms": "50" });
  if (nth === 1 && task.endsWith("for long")) return reply.refuse(429, "Slow down.", { "retry-after": String(CLOSED) });
  reply.say("Done.");
  reply.finish();
}

/** Waits until a run's job is queued for a time. */
function held(id: string, url = database.url) {
  return eventually(`${id} waits`, async () => {
    const [job] = await sql(url, "select state, run_at from jobs where subject_id = $1", [id]);
    return job?.["state"] === "queued" && job["run_at"] !== null;
  });
}

verifies(
  ["model-gates.closed", "model-gates.waits-as-rows"],
  "after a 429 no process calls the model until the time it names; records and streams say so",
  async () => {
    const agentId = await openAiAgent(service);
    const first = await startTask(service, agentId, { title: "rejected at first" });
    await held(first);
    const second = await startTask(peer, agentId, { title: "behind it" });
    await held(second);
    for (const id of [first, second]) {
      expect(await taskNow(service, id)).toMatchObject({ status: "running" });
      const { body } = await consoleOf(service, service.keys.api).get(`/runs/${id}`);
      expect(body).toMatchObject({
        status: "running",
        model_wait: { provider: "openai", model: "gpt-4o", reason: "closed", until: expect.any(String) },
        executions: [{ end: "waiting" }],
      });
    }
    const events = ofType(await readToEnd(service, { agentId, taskId: second }), "CUSTOM");
    const valuesOf = (name: string) => events.filter((event) => event["name"] === name).map(({ value }) => value);
    expect(await taskEnd(service, first)).toMatchObject({ status: "completed", result: "Done." });
    expect(await taskEnd(service, second)).toMatchObject({ status: "completed", result: "Done." });
    const [rejected, again] = provider.callsOf("rejected at first");
    const [behind] = provider.callsOf("behind it");
    for (const call of [again, behind]) {
      expect((call?.at ?? 0) - (rejected?.at ?? 0)).toBeGreaterThanOrEqual(CLOSED * SECOND - 100);
    }
    expect(provider.callsOf("behind it")).toHaveLength(1);
    expect(valuesOf("model_wait")[0]).toMatchObject({
      step: "model:0",
      model: "gpt-4o",
      reason: "closed",
      message: expect.stringMatching(/takes no calls for now.* at about \d\d:\d\d:\d\d UTC/),
    });
    expect(valuesOf("model_wait_over")).toEqual([{ step: "model:0" }]);
    const { body } = await consoleOf(service, service.keys.api).get(`/runs/${second}`);
    expect(body).toMatchObject({ model_wait: null });
  },
);

verifies("model-gates.cancel", "a run that waits for a rate limit is cancelled at once", async () => {
  const agentId = await openAiAgent(service, { model: "gpt-4-turbo-preview", provider: "openai" });
  const id = await startTask(service, agentId, { title: "long rejected" });
  await held(id);
  await setStatus(service, id, "cancelled");
  expect(await taskNow(service, id)).toMatchObject({ status: "cancelled" });
  expect(await sql(database.url, "select from jobs where subject_id = $1", [id])).toEqual([]);
  expect(provider.callsOf("long rejected")).toHaveLength(1);
});

verifies(
  "model-gates.attempts",
  "a call that is rejected in each attempt fails, though it waited in between",
  async () => {
    const agentId = await openAiAgent(service, { model: "gpt-4.1" });
    const id = await startTask(service, agentId, { title: "always rejected" });
    expect(await taskEnd(service, id)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("Slow down."),
    });
    expect(provider.callsOf("always rejected")).toHaveLength(2);
  },
);

verifies("model-gates.survives-kill", "a wait survives kill -9 of the process that ran it", async () => {
  const own = await createDatabase();
  const killed = await startProcess({ env: provider.env, databaseUrl: own.url });
  const agentId = await openAiAgent(killed);
  const id = await startTask(killed, agentId, { title: "rejected before the kill" });
  await held(id, own.url);
  await killed.kill();
  const next = await startService({ env: provider.env, databaseUrl: own.url, keys: killed.keys });
  expect(await taskEnd(next, id)).toMatchObject({ status: "completed", result: "Done." });
  expect(provider.callsOf("rejected before the kill")).toHaveLength(2);
  await next.stop();
  await own.drop();
});

verifies(
  "model-gates.fair",
  "one run of a workspace does not wait for all runs of another with the same key",
  async () => {
    const [many, few] = [await openWorkspaceIn(service), await openWorkspaceIn(service)];
    const [ofMany, ofFew] = [
      await openAiAgent(many, { model: "gpt-4o-mini" }),
      await openAiAgent(few, { model: "gpt-4o-mini" }),
    ];
    const started = await Promise.all(
      Array.from({ length: BUSY.runs }, (_, n) => startTask(many, ofMany, { title: `one of many ${n}` })),
    );
    await eventually("calls wait", async () => {
      const [row] = await sql(database.url, "select count(*)::int as n from model_gate_waits where is_waiting");
      return Number(row?.["n"]) >= 3;
    });
    const earlier = provider.calls.length;
    const id = await startTask(few, ofFew, { title: "the only one" });
    expect(await taskEnd(few, id)).toMatchObject({ status: "completed" });
    const before = provider.calls.findIndex(({ task }) => task === "the only one");
    const meanwhile = provider.calls.slice(earlier, before).filter(({ task }) => task.startsWith("one of many"));
    // Those that may pass at once, and one whose turn it was.
    expect(meanwhile.length).toBeLessThanOrEqual(4);
    await Promise.all(started.map((one) => setStatus(many, one, "cancelled").catch(() => undefined)));
  },
);

verifies("model-gates.paced", "calls pass at the pace of the limit, after three seconds' worth at once", async () => {
  const db = openDatabase({ url: database.url, poolSize: 1, onIdleError: () => undefined });
  const call = { gate: newId(), provider: "openai", model: "m", workspaceId: newId(), jobId: newId(), tokens: 1 };
  const begun = performance.now();
  const limits = { requests: 600, requestsLeft: 600, requestsFullInMs: 60_000, unanswered: 0 };
  const verdicts = [];
  for (let n = 0; n < 80; n++) {
    verdicts.push(await passGate(db, { ...call, step: `model:${n}` }, n === 0 ? limits : undefined));
  }
  const passed = verdicts.filter((verdict) => verdict.passed !== null).length;
  const atPace = ((performance.now() - begun) / SECOND) * 10;
  expect(passed).toBeGreaterThanOrEqual(30);
  expect(passed).toBeLessThanOrEqual(30 + atPace + 1);
  expect(verdicts.at(-1)?.waitMs ?? 0).toBeLessThanOrEqual(100);
  const closing = { ...limits, by: passed, requestsLeft: 0, requestsFullInMs: 7_000 };
  const waits = await passGate(db, { ...call, step: "model:80" }, closing);
  expect(waits).toMatchObject({ passed: null, reason: "limit" });
  expect(waits.waitMs).toBeGreaterThan(6_000);
  await db.close();
});

verifies("model-gates.moment", "only a 429 for longer than a few seconds is taken as a limit a minute", async () => {
  const model = "gpt-4o-2024-08-06";
  const agentId = await openAiAgent(service, { model, provider: "openai" });
  const end = async (title: string) => taskEnd(service, await startTask(service, agentId, { title }));
  await Promise.all(Array.from({ length: 40 }, (_, n) => end(`unnumbered ${n}`)));
  const limit = async () => {
    const [row] = await sql(database.url, "select requests, closed_until from model_gates where model = $1", [model]);
    return row && { requests: row["requests"], isKnown: row["closed_until"] !== null };
  };
  expect(await end("unnumbered, rejected for a moment")).toMatchObject({ status: "completed" });
  expect(await limit()).toEqual({ requests: null, isKnown: true });
  expect(await end("unnumbered, rejected for long")).toMatchObject({ status: "completed" });
  expect(await limit()).toEqual({ requests: expect.any(Number), isKnown: true });
});

verifies("model-gates.team", "when one branch of a fan-out waits, the others finish and are not repeated", async () => {
  const api = apiOf(service, service.keys.api);
  const agents = await Promise.all(
    ["You are one.", REJECTED_BRANCH, "You are three."].map((system_prompt) =>
      openAiAgent(service, { model: "gpt-3.5-turbo", system_prompt }),
    ),
  );
  const steps = [{ type: "fan_out", step_name: "Views", parallel_agents: agents }];
  const { id: teamId } = await createTeam(api, { config: { steps } });
  const before = provider.calls.length;
  const { id } = await startRun(api, teamId);
  await held(id);
  expect(await runIn(api, id, "completed")).toMatchObject({ error: null });
  expect(provider.calls.slice(before).filter(({ body }) => body.model === "gpt-3.5-turbo").length).toBe(
    agents.length + 1,
  );
});

verifies("model-gates.breaker", "after three failures in a row the fallback is called at once", async () => {
  const agentId = await openAiAgent(service, {
    model: "gpt-4-turbo",
    fallback_model: "gpt-4.1-mini",
    provider: "openai",
  });
  for (const title of ["failing 1", "failing 2", "failing 3"]) {
    const id = await startTask(service, agentId, { title });
    expect(await taskEnd(service, id)).toMatchObject({ status: "completed", result: "Done." });
  }
  const failed = provider.calls.filter(({ body }) => body.model === "gpt-4-turbo").length;
  expect(failed).toBe(3);
  const elsewhere = await startTask(peer, agentId, { title: "in another process" });
  expect(await taskEnd(service, elsewhere)).toMatchObject({ status: "completed", result: "Done." });
  expect(provider.calls.filter(({ body }) => body.model === "gpt-4-turbo").length).toBe(3);
});

verifies("model-gates.free", "a connection far from its limits is not known to the database", async () => {
  const agentId = await openAiAgent(service, { model: "gpt-4o-2024-11-20", provider: "openai" });
  for (let n = 0; n < 5; n++) await taskEnd(service, await startTask(service, agentId, { title: `far ${n}` }));
  const rows = await sql(database.url, "select from model_gates where model = 'gpt-4o-2024-11-20'");
  expect(rows).toEqual([]);
});
