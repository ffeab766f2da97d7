import { Client } from "pg";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { apiOf, consoleOf, fieldsOf } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { callOf, questionOf, respond } from "../../support/interactions.ts";
import { startRemoteAgent } from "../../support/a2a/remote-agent.ts";
import type { RemoteAgent, RemoteAgentOptions } from "../../support/a2a/remote-agent.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ProviderReply, ScriptedProvider } from "../../support/scripted-provider.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { readStream, readToEnd } from "../../support/sse-client.ts";
import { ofType } from "../../support/valid-stream.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, readTask, stopTask, taskIn } from "../../support/work.ts";
import { sql } from "../../support/workspace.ts";

/** Makes writes of remote calls wait while another session has the advisory lock 1. */
const holdRecords = (statement: string) => `
  create function hold_record() returns trigger language plpgsql as
    $$ begin perform pg_advisory_xact_lock_shared(1); return new; end $$;
  create trigger hold_record before ${statement} on remote_calls for each row execute function hold_record();
  select pg_advisory_lock(1)`;
const FREE_RECORDS =
  "select pg_advisory_unlock(1); drop trigger hold_record on remote_calls; drop function hold_record";
const HELD = "select pid from pg_stat_activity where datname = current_database() and wait_event = 'advisory'";
const ENDS = new Set(["completed", "failed", "cancelled"]);

let service: TestService;
let provider: ScriptedProvider;
let api: Api;
let settings: Api;
let agentId: string;

beforeAll(async () => {
  provider = await startScriptedProvider(({ body }, reply) => {
    const { role, content } = body.messages.at(-1) ?? {};
    const round = role === "user" ? /round (\d+) by (\S+)/.exec(String(content)) : null;
    if (round === null) reply.say(`Heard: ${content}`);
    else passOn(reply, { round: Number(round[1]), remoteId: String(round[2]) });
    reply.finish();
  });
  service = await startService({
    env: {
      ALLOW_PRIVATE_URLS: "true",
      ...provider.env,
    },
  });
  api = apiOf(service, service.keys.api);
  settings = consoleOf(service, service.keys.api);
  agentId = (await createAgent(api, { tools: ["a2a_delegate"] })).id;
});
afterAll(async () => {
  await service.stop();
  await provider.close();
});

/** Lets an agent delegate the next round, in turn over A2A and over MCP. */
function passOn(reply: ProviderReply, { round, remoteId }: { readonly round: number; readonly remoteId: string }) {
  const message = `round ${round + 1} by ${remoteId}`;
  if (round % 2 === 0) reply.callTool("a2a_delegate", { agent_id: remoteId, message });
  else reply.callTool("self--circle", { message });
}

/** Registers a remote agent and returns its id. */
async function register(base_url: string, token?: string): Promise<string> {
  const { status, body, text } = await settings.post("/remote-agents", { base_url, token });
  if (status !== 201) throw new Error(text);
  return String(Object(body)["id"]);
}

/** Starts a task whose agent delegates a message. */
async function delegating(remoteId: string, message: string): Promise<string> {
  const description = callOf("a2a_delegate", { agent_id: remoteId, message });
  return (await createTask(api, { assigned_agent_id: agentId, description })).id;
}

/** Runs one to its end: the result of the tool call. */
async function delegated(remoteId: string, message: string): Promise<string> {
  const id = await delegating(remoteId, message);
  await eventually("the end of the task", async () => ENDS.has((await readTask(api, id)).status));
  return resultOf(id);
}

async function resultOf(taskId: string): Promise<string> {
  const events = await readToEnd(service, { agentId, taskId });
  return String(ofType(events, "TOOL_CALL_END")[0]?.["result"]);
}

async function withRemote(options: RemoteAgentOptions, run: (remote: RemoteAgent, id: string) => Promise<void>) {
  const remote = await startRemoteAgent(options);
  const id = await register(remote.url, "s3cret");
  try {
    await run(remote, id);
  } finally {
    await settings.delete(`/remote-agents/${id}`);
    await remote.close();
  }
}

const KINDS = [
  { protocol: "1.0", streaming: true },
  { protocol: "1.0", streaming: false },
  { protocol: "0.3", streaming: true },
  { protocol: "0.3", streaming: false, oldPath: true },
] as const;

verifies("a2a-client.minimal-card", "an agent whose card names no endpoint is called at its base URL", () =>
  withRemote({ protocol: "0.3", oldPath: true, isMinimal: true }, async (remote, id) => {
    expect(await delegated(id, "say All done here.")).toBe("All done here.");
    expect(remote.seen.at(-1)).toMatchObject({ method: "POST", path: "/" });
  }),
);

for (const statement of ["insert", "update"]) {
  verifies("a2a-client.outage", `a delegation goes on after PostgreSQL cancelled the ${statement} of its record`, () =>
    withRemote({ protocol: "1.0", streaming: true }, async (_remote, id) => {
      const locker = new Client({ connectionString: service.databaseUrl });
      await locker.connect();
      try {
        await locker.query(holdRecords(statement));
        const result = delegated(id, "say All done here.");
        const held = await eventually("it is held", async () => (await sql(service.databaseUrl, HELD))[0]);
        await sql(service.databaseUrl, "select pg_cancel_backend($1)", [held["pid"]]);
        await locker.query(FREE_RECORDS);
        expect(await result).toBe("All done here.");
      } finally {
        await locker.end();
      }
    }),
  );
}

for (const kind of KINDS) {
  describe(`a remote agent of ${kind.protocol} ${kind.streaming ? "with" : "without"} streams`, () => {
    verifies(
      ["a2a-client.tool", "a2a-client.both-families", "a2a-client.bearer", "a2a-client.discovery-order"],
      "answers, in its version and with the token",
      () =>
        withRemote(kind, async (remote, id) => {
          expect(await delegated(id, "say All done here.")).toBe("All done here.");
          const [sent] = remote.calls;
          expect(sent).toMatchObject({
            text: "say All done here.",
            authorization: "Bearer s3cret",
            version: kind.protocol,
          });
          const asked = remote.seen.filter(({ method }) => method === "GET").map(({ path }) => path);
          expect(asked[0]).toBe("/.well-known/agent-card.json");
          expect(await delegated(id, "fail")).toContain("It did not work.");
          expect(await delegated(id, "reply")).toBe("a direct reply");
        }),
    );

    verifies("a2a-client.asks", "asks, and the answer of a person is sent to it", () =>
      withRemote(kind, async (remote, id) => {
        const taskId = await delegating(id, "ask Which colour?");
        const { request, interactionId } = await questionOf(service, { agentId, taskId });
        expect(request).toMatchObject({
          interactionType: "text_input",
          title: "Remote asks",
          description: "Which colour?",
        });
        expect(await readTask(api, taskId)).toMatchObject({ status: "waiting_for_input" });
        await respond(service, { agentId, taskId }, { interactionId, text: "blue" });
        await taskIn(api, taskId, "completed");
        expect(await resultOf(taskId)).toBe("You said blue");
        const messages = remote.calls.filter(({ text }) => text !== "");
        expect(messages.map(({ text }) => text)).toEqual(["ask Which colour?", "blue"]);
        expect(messages[1]?.taskId).toBeDefined();
      }),
    );

    verifies(
      ["a2a-client.cancel", "engine.cancel.aborts-remote"],
      "is cancelled with the task that delegates to it",
      () =>
        withRemote(kind, async (remote, id) => {
          const taskId = await delegating(id, "hang");
          await eventually("the remote task", () => remote.calls.length > 0 && true);
          await eventually("its id is known", async () => (await openCalls()) > 0);
          await stopTask(api, taskId);
          const cancelled = () => remote.calls.find(({ method }) => method.toLowerCase().includes("cancel"));
          expect((await eventually("the cancel", cancelled)).taskId).toBeDefined();
        }),
    );
  });
}

async function openCalls(): Promise<number> {
  const rows = await sql(
    service.databaseUrl,
    "select from remote_calls where ended_at is null and remote_task_id is not null",
  );
  return rows.length;
}

verifies(
  ["a2a-client.streams", "a2a-client.progress"],
  "what a remote agent streams is shown in the task's stream as it comes",
  () =>
    withRemote({ protocol: "1.0" }, async (remote, id) => {
      const taskId = await delegating(id, "drip");
      const reader = await readStream(service, { agentId, taskId });
      await reader.until((events) => ofType(events, "CUSTOM").length > 0);
      expect(ofType(reader.events, "CUSTOM")[0]).toMatchObject({
        name: "TOOL_CALL_PROGRESS",
        value: { toolCallId: expect.any(String), delta: "so far" },
      });
      expect(remote.calls[0]?.method).toBe("SendStreamingMessage");
      await stopTask(api, taskId);
    }),
);

verifies("a2a-client.broken-stream", "after a stream aborts, the task is polled and no second message is sent", () =>
  withRemote({ protocol: "0.3" }, async (remote, id) => {
    const taskId = await delegating(id, "break");
    await eventually("a question for the task", () => remote.calls.some(({ method }) => method === "tasks/get"));
    remote.finish("made it anyway");
    await taskIn(api, taskId, "completed");
    expect(await resultOf(taskId)).toBe("made it anyway");
    expect(remote.calls.filter(({ text }) => text === "break")).toHaveLength(1);
  }),
);

verifies("a2a-client.bounded", "an endless stream is aborted with a clear error", () =>
  withRemote({ protocol: "1.0" }, async (_, id) => {
    expect(await delegated(id, "endless")).toMatch(/more than \d+ (bytes|characters)/);
  }),
);

verifies("a2a-client.both-families", "another Muster is a remote agent like any other", async () => {
  const echo = (await createAgent(api, { model: "gpt-4o", name: "Echo", is_a2a_published: true })).id;
  const id = await register(`${service.url}/a2a/${echo}`, service.keys.a2a);
  expect(await delegated(id, "good morning")).toBe("Heard: good morning");
  await settings.delete(`/remote-agents/${id}`);
});

verifies("a2a-client.circle", "agents that delegate in a circle come to an end, also with one slot", async () => {
  const small = await startService({ env: { ALLOW_PRIVATE_URLS: "true", RUNS_PER_PROCESS: "1", ...provider.env } });
  try {
    const [own, desk] = [apiOf(small, small.keys.api), consoleOf(small, small.keys.api)];
    const published = { is_a2a_published: true, is_mcp_published: true };
    const { id: circle } = await createAgent(own, { model: "gpt-4o", name: "Circle", ...published });
    const remote = { base_url: `${small.url}/a2a/${circle}`, token: small.keys.a2a };
    const remoteId = String(fieldsOf(await desk.post("/remote-agents", remote))["id"]);
    const headers = { Authorization: `Bearer ${small.keys.mcp}` };
    await desk.post("/mcp-servers", { name: "self", url: `${small.url}/mcp`, headers });
    const tools = ["a2a_delegate", "mcp:self/circle"];
    expect((await own.call("PATCH", `/api-agents?id=${circle}`, { body: { tools } })).status).toBe(200);
    const { id } = await createTask(own, { assigned_agent_id: circle, title: `round 0 by ${remoteId}` });
    const { result } = await taskIn(own, id, "completed");
    expect(result).toContain("delegated from agent to agent 5 times");
    const rounds = provider.calls.flatMap(
      ({ body }) => /round (\d+)/.exec(String(body.messages.at(-1)?.content))?.[1] ?? [],
    );
    expect(rounds).toEqual(["0", "1", "2", "3", "4", "5"]);
  } finally {
    await small.stop();
  }
});

verifies(
  "a2a-client.asks",
  "the question of another Muster is shown as its text, without the data for programs",
  async () => {
    const asker = await createAgent(api, { name: "Asker", is_a2a_published: true, tools: ["request_choice"] });
    const id = await register(`${service.url}/a2a/${asker.id}`, service.keys.a2a);
    const choices = [
      { id: "a", label: "Apple" },
      { id: "b", label: "Pear" },
    ];
    const taskId = await delegating(id, callOf("request_choice", { title: "Which?", choices }));
    const { request, interactionId } = await questionOf(service, { agentId, taskId });
    expect(request).toMatchObject({ title: "Asker asks", description: "Which?\n\n- a: Apple\n- b: Pear" });
    await respond(service, { agentId, taskId }, { interactionId, text: "Pear" });
    await taskIn(api, taskId, "completed");
    expect(await resultOf(taskId)).toContain('{"selectedOptionId":"b"}');
    await settings.delete(`/remote-agents/${id}`);
  },
);

verifies("a2a-client.bearer", "a token that the remote agent does not accept is named as the reason", async () => {
  const echo = (await createAgent(api, { is_a2a_published: true })).id;
  const id = await register(`${service.url}/a2a/${echo}`, "wrong");
  expect(await delegated(id, "Hello")).toContain("The remote agent does not accept its token (HTTP 401).");
  await settings.delete(`/remote-agents/${id}`);
});

verifies(
  ["a2a-client.disabled-refused", "a2a-client.listed", "a2a-client.enable-disable"],
  "the model gets a list of the enabled remote agents and can delegate to no other",
  () =>
    withRemote({ protocol: "1.0", name: "Translator" }, async (remote, id) => {
      const teller = (await createAgent(api, { model: "gpt-4o", tools: ["a2a_delegate"] })).id;
      const toolsOffered = async (title: string) => {
        const { id: taskId } = await createTask(api, { assigned_agent_id: teller, title });
        await taskIn(api, taskId, "completed");
        return JSON.stringify(Object(provider.callsOf(title)[0]?.body)["tools"] ?? []);
      };
      expect(await toolsOffered("with one")).toContain(`${id}: Translator. Does things. Skills: Everything.`);
      expect(await delegated("nobody", "say x")).toContain(`Known: ${id}`);
      expect((await settings.patch(`/remote-agents/${id}`, { is_enabled: false })).status).toBe(200);
      expect(await toolsOffered("with none")).toBe("[]");
      expect(await delegated(id, "say x")).toContain('There is no tool "a2a_delegate"');
      await settings.patch(`/remote-agents/${id}`, { is_enabled: true });
      expect(await delegated(id, "say x")).toBe("x");
      expect(remote.calls).toHaveLength(1);
    }),
);
