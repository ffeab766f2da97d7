import { HttpAgent } from "@ag-ui/client";
import { EventSchemas } from "@ag-ui/core/schemas";
import { HttpAgent as HttpAgent0 } from "ag-ui-client-0";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { newId } from "#lib/ids.ts";
import { apiOf, idsOf, send } from "../../support/api.ts";
import type { Answer, Api } from "../../support/api.ts";
import { openAiAgent } from "../../support/runs.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { useProvider } from "../../support/providers/scripted-agents.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent, readTask, taskInState, taskIn } from "../../support/work.ts";
import { addKey, sql } from "../../support/workspace.ts";

const TOOL_THEN_SAY = '[[tool:wait {"seconds":0}]]\n[[say:all done]]';

let service: SharedService;
let provider: ScriptedProvider;
let api: Api;
let agentId: string;

beforeAll(async () => {
  provider = await startScriptedProvider(({ body }, reply) => {
    reply.say(`You said: ${body.messages.at(-1)?.content}`);
    reply.finish();
  });
  service = await useProvider(provider);
  api = apiOf(service, service.keys.api);
  agentId = (await createAgent(api)).id;
});
afterAll(() => provider.close());

/** One stream as a standard client asks for it. */
function ask(
  input: Readonly<Record<string, unknown>>,
  { agent = agentId, key = service.keys.agui, lastEventId = "" } = {},
) {
  const headers = { authorization: `Bearer ${key}`, ...(lastEventId !== "" && { "last-event-id": lastEventId }) };
  return send("POST", `${service.url}/ag-ui/${agent}/sse`, { headers, body: input });
}

function runInput(threadId: string, texts: readonly string[]) {
  const messages = texts.map((content, index) => ({ id: `m${index}`, role: "user", content }));
  return { threadId, runId: newId(), state: {}, messages, tools: [], context: [], forwardedProps: {} };
}

interface Frame {
  readonly id: string;
  readonly event: Readonly<Record<string, unknown>>;
}

function framesOf({ text }: Answer): Frame[] {
  return text.split("\n\n").flatMap((frame) => {
    const [, id, data] = /^id: (\S+)\ndata: (.*)$/m.exec(frame) ?? [];
    return id === undefined || data === undefined ? [] : [{ id, event: JSON.parse(data) }];
  });
}

const clients = [
  { version: "1.0", create: (url: string, headers: Record<string, string>) => new HttpAgent({ url, headers }) },
  { version: "0.0.59", create: (url: string, headers: Record<string, string>) => new HttpAgent0({ url, headers }) },
] as const;

for (const { version, create } of clients) {
  verifies(
    ["ag-ui.standard.http-agent", "ag-ui.standard.creates-task", "ag-ui.standard.tool-call-result"],
    `the HttpAgent of @ag-ui/client ${version} completes a run with text and a tool`,
    async () => {
      const client = create(`${service.url}/ag-ui/${agentId}/sse`, { authorization: `Bearer ${service.keys.agui}` });
      client.addMessage({ id: newId(), role: "user", content: TOOL_THEN_SAY });
      const { result } = await client.runAgent();
      expect(result).toBe("all done");
      const [, call, output, answer] = client.messages;
      expect(call).toMatchObject({ role: "assistant", toolCalls: [{ function: { name: "wait" } }] });
      expect(output).toMatchObject({ role: "tool", content: "Waited 0 s." });
      expect(answer).toMatchObject({ role: "assistant", content: "all done" });
      expect(await readTask(api, client.threadId)).toMatchObject({ status: "completed", result: "all done" });
    },
  );

  verifies(
    ["ag-ui.standard.interactions-custom", "ag-ui.standard.http-agent"],
    `the HttpAgent of @ag-ui/client ${version} answers a question of CUSTOM events`,
    async () => {
      const asking = await createAgent(api, { tools: ["request_choice"] });
      const headers = { authorization: `Bearer ${service.keys.agui}` };
      const client = create(`${service.url}/ag-ui/${asking.id}/sse?interrupts=false`, headers);
      const choices = [{ id: "tea", label: "Tea" }];
      const directive = `[[tool:request_choice ${JSON.stringify({ title: "What?", choices })}]]`;
      client.addMessage({ id: newId(), role: "user", content: directive });
      const asked: { name: string; value: Record<string, unknown> }[] = [];
      await client.runAgent(undefined, {
        async onCustomEvent({ event: { name, value } }) {
          asked.push({ name, value });
          if (name !== "INTERACTION_REQUEST") return;
          const { threadId, interactionId } = value;
          const url = `${service.url}/ag-ui/${asking.id}/respond`;
          await send("POST", url, { headers, body: { threadId, interactionId, selectedOptionId: "tea" } });
        },
      });
      const [request, response] = asked;
      expect(request).toMatchObject({
        name: "INTERACTION_REQUEST",
        value: { threadId: client.threadId, interactionType: "choice", title: "What?", choices },
      });
      const { interactionId } = request?.value ?? {};
      expect(response).toMatchObject({
        name: "INTERACTION_RESPONSE",
        value: { interactionId, answer: { selectedOptionId: "tea" } },
      });
      expect(client.messages.at(-2)).toMatchObject({ role: "tool", content: '{"selectedOptionId":"tea"}' });
      expect(await readTask(api, client.threadId)).toMatchObject({ status: "completed" });
    },
  );

  verifies(
    ["ag-ui.standard.follow-up", "ag-ui.standard.http-agent"],
    `a second message of @ag-ui/client ${version} runs the agent again with all that was said`,
    async () => {
      const openAi = await openAiAgent(service);
      const client = create(`${service.url}/ag-ui/${openAi}/sse`, { authorization: `Bearer ${service.keys.agui}` });
      const first = `first ${version}`;
      client.addMessage({ id: newId(), role: "user", content: first });
      await client.runAgent();
      client.addMessage({ id: newId(), role: "user", content: "second" });
      const { result } = await client.runAgent();
      expect(result).toBe("You said: second");
      const sent = provider.calls.findLast(({ body }) => body.messages.some(({ content }) => content === first));
      expect(sent?.body.messages.slice(1).map(({ role, content }) => [role, content])).toEqual([
        ["user", first],
        ["assistant", `You said: ${first}`],
        ["user", "second"],
      ]);
      expect(await readTask(api, client.threadId)).toMatchObject({ status: "completed", attempt: 2 });
    },
  );
}

verifies(
  ["ag-ui.standard.told-by-messages", "ag-ui.standard.tool-call-result"],
  "only a body with messages gets TOOL_CALL_RESULT, and what it gets fits the official schemas",
  async () => {
    const threadId = newId();
    const standard = framesOf(await ask(runInput(threadId, [TOOL_THEN_SAY])));
    for (const { event } of standard) expect(EventSchemas.safeParse(event).error?.message).toBeUndefined();
    const types = standard.map(({ event }) => event["type"]);
    expect(types.filter((type) => String(type).startsWith("TOOL_CALL"))).toEqual([
      "TOOL_CALL_START",
      "TOOL_CALL_ARGS",
      "TOOL_CALL_END",
      "TOOL_CALL_RESULT",
    ]);
    const plain = framesOf(await ask({ threadId }));
    expect(plain.map(({ event }) => event["type"])).toEqual(types.filter((type) => type !== "TOOL_CALL_RESULT"));
  },
);

verifies(
  ["ag-ui.standard.tool-call-result", "ag-ui.resume.last-event-id"],
  "a standard stream resumes after each of its ids without gap or repeat",
  async () => {
    const input = runInput(newId(), [TOOL_THEN_SAY]);
    const whole = framesOf(await ask(input));
    expect(new Set(whole.map(({ id }) => id)).size).toBe(whole.length);
    for (const [index, { id }] of whole.entries()) {
      const rest = framesOf(await ask(input, { lastEventId: id }));
      expect([id, rest]).toEqual([id, whole.slice(index + 1)]);
    }
  },
);

verifies("ag-ui.standard.follow-up", "a repeated message replays its run and starts none", async () => {
  const input = runInput(newId(), [QUICK]);
  const first = await ask(input);
  expect(framesOf(await ask(input))).toEqual(framesOf(first));
  expect(await readTask(api, input.threadId)).toMatchObject({ attempt: 1 });
});

verifies("ag-ui.standard.creates-task", "the same new thread, started twice concurrently, is one task", async () => {
  const input = runInput(newId(), [QUICK]);
  const answers = await Promise.all([ask(input), ask(input), ask(input)]);
  for (const answer of answers) expect(framesOf(answer).at(-1)?.event).toMatchObject({ type: "RUN_FINISHED" });
  expect(await readTask(api, input.threadId)).toMatchObject({ attempt: 1, status: "completed" });
});

verifies(
  "ag-ui.standard.follow-up",
  "a task created elsewhere continues as a conversation, its result first",
  async () => {
    const openAi = await openAiAgent(service);
    const task = await taskInState(api, { agentId: openAi, status: "completed", description: "Count." });
    await ask(runInput(task.id, ["And now?"]), { agent: openAi });
    await taskIn(api, task.id, "completed");
    const sent = provider.calls.findLast(({ body }) => body.messages.at(-1)?.content === "And now?");
    expect(sent?.body.messages.slice(1).map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(sent?.body.messages[1]?.content).toContain("Task Description:\nCount.");
    expect(sent?.body.messages[2]?.content).toBe(task.result);
  },
);

describe("what a standard client gets wrong", () => {
  const refusals = [
    {
      name: "a thread id that is too long",
      status: 400,
      says: "threadId is at most 200 characters long",
      input: () => runInput("x".repeat(201), ["Hi"]),
    },
    {
      name: "no thread and nothing to say",
      status: 400,
      says: "threadId is required (maps to task ID)",
      input: () => ({ ...runInput("", []), threadId: undefined }),
    },
    {
      name: "an answer to an interrupt together with an attempt to read",
      status: 400,
      says: expect.stringContaining("resume is not supported here: answer with POST /ag-ui/{agent id}/respond."),
      input: () => ({ ...runInput(newId(), ["Hi"]), attempt: 1, resume: [{ interruptId: "i", status: "resolved" }] }),
    },
    {
      name: "an unknown thread and nothing to say",
      status: 404,
      says: "Task not found for this agent",
      input: () => runInput(newId(), []),
    },
    {
      name: "messages that are none",
      status: 400,
      says: "messages must be AG-UI messages, each with role and content",
      input: () => ({ ...runInput(newId(), []), messages: [7] }),
    },
  ] as const;
  for (const { name, status, says, input } of refusals) {
    verifies(
      ["ag-ui.standard.creates-task", "ag-ui.standard.resume-400"],
      `${name}: rejected, and no task is created`,
      async () => {
        const before = idsOf(await api.get("/api-tasks?limit=200"));
        const answer = await ask(input());
        expect([answer.status, answer.body]).toEqual([status, { error: says }]);
        expect(idsOf(await api.get("/api-tasks?limit=200"))).toEqual(before);
      },
    );
  }

  verifies("ag-ui.standard.creates-task", "a read-only key starts nothing", async () => {
    const [owner] = await sql<{ workspaceId: string; ownerId: string }>(
      service.databaseUrl,
      `select workspace_id as "workspaceId", user_id as "ownerId" from members
       where workspace_id = (select id from workspaces order by created_at limit 1)`,
    );
    if (owner === undefined) throw new Error("There is no owner.");
    const key = await addKey(service.databaseUrl, { ...owner, kind: "ag-ui", scopes: ["read"] });
    const input = runInput(newId(), ["Hi"]);
    expect((await ask(input, { key })).status).toBe(403);
    expect((await api.get(`/api-tasks?id=${input.threadId}`)).status).toBe(404);
  });
});

verifies(
  "ag-ui.standard.text-once",
  "a long result is sent to clients of 1.x once, to others also as result",
  async () => {
    const agent = await openAiAgent(service);
    const threadId = newId();
    const asked = "é".repeat(100_000);
    const input = { ...runInput(threadId, [asked]), protocolVersion: "1.0" };
    const reply = `You said: ${asked}`;
    const textOf = (answer: Answer) =>
      framesOf(answer)
        .flatMap(({ event: { delta } }) => (typeof delta === "string" ? delta : []))
        .join("");
    const live = await ask(input, { agent });
    const replayed = await ask({ ...input, messages: [] }, { agent });
    for (const answer of [live, replayed]) {
      expect(textOf(answer)).toBe(reply);
      expect(Buffer.byteLength(answer.text)).toBeLessThan(Buffer.byteLength(reply) * 1.2);
      expect(framesOf(answer).at(-1)?.event).not.toHaveProperty("result");
    }
    const { protocolVersion: _, ...older } = { ...input, messages: [] };
    const before1 = await ask(older, { agent });
    expect(framesOf(before1).at(-1)?.event).toMatchObject({ type: "RUN_FINISHED", result: reply });
  },
);
