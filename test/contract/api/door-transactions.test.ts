import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect } from "vitest";
import { apiOf } from "../../support/api.ts";
import { openLine } from "../../support/database/database-line.ts";
import type { DatabaseLine } from "../../support/database/database-line.ts";
import { createDatabase, startService } from "../../support/service.ts";
import type { TestDatabase, TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { QUICK, createAgent } from "../../support/work.ts";

/** A transaction of a request, by the execution of the statement that begins it. */
const BEGUN = /\0muster_\w+:begin\0/g;

let database: TestDatabase;
let line: DatabaseLine;
let service: TestService;
let agentId: string;

beforeAll(async () => {
  database = await createDatabase();
  line = await openLine(database.url);
  service = await startService({ databaseUrl: line.url });
  agentId = (await createAgent(apiOf(service, service.keys.api), { name: "Quick", is_mcp_published: true })).id;
});

afterAll(async () => {
  await service.stop();
  line.close();
  await database.drop();
});

/** A request that runs the agent. */
interface Door {
  readonly path: string;
  readonly key: "api" | "agui" | "a2a" | "mcp";
  readonly body: object;
}

/** How many transactions a request may have besides the run's own, and why. */
const DOORS: Readonly<Record<string, readonly [number, () => Door]>> = {
  "a posted task": [1, () => ({ path: "/functions/v1/api-tasks", key: "api", body: task() })],
  "a message by AG-UI": [1, () => ({ path: `/ag-ui/${agentId}/sse`, key: "agui", body: thread() })],
  "a streamed chat completion": [1, () => chat({ stream: true })],
  // They also read what the run has used.
  "a chat completion": [2, () => chat({})],
  "a response": [2, () => response({})],
  "a streamed response": [2, () => response({ stream: true })],
  // It also reads the result.
  "a message by A2A": [2, () => a2a("message/send")],
  // It also reads the task before the first event, and the result.
  "a streamed message by A2A": [3, () => a2a("message/stream")],
  // It also finds the tool, and reads the result.
  "a tool call by MCP": [3, () => ({ path: "/mcp", key: "mcp", body: rpc("tools/call", call) })],
};

const message = { role: "user", content: QUICK };
const call = { name: "quick", arguments: { message: QUICK } };
const task = () => ({ title: "Work", description: QUICK, assigned_agent_id: agentId });
const thread = () => ({ threadId: randomUUID(), messages: [{ id: randomUUID(), ...message }] });
const rpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params });

function chat(more: object): Door {
  return { path: "/v1/chat/completions", key: "api", body: { model: agentId, messages: [message], ...more } };
}

function response(more: object): Door {
  return { path: "/v1/responses", key: "api", body: { model: agentId, input: QUICK, ...more } };
}

function a2a(method: string): Door {
  const sent = { kind: "message", role: "user", messageId: randomUUID(), parts: [{ kind: "text", text: QUICK }] };
  return { path: `/a2a/${agentId}`, key: "a2a", body: rpc(method, { message: sent }) };
}

for (const [name, [most, doorOf]] of Object.entries(DOORS)) {
  verifies("engine.statements.doors", `${name} makes ${most} transactions of its own`, async () => {
    const counts = [];
    // On a busy machine, a reader may look for events that it would have been told of.
    for (let tries = 0; tries < 3; tries++) counts.push(await transactionsOf(doorOf()));
    expect(Math.min(...counts)).toBe(most);
  });
}

/** The number of transactions of a request, until it is answered. */
async function transactionsOf({ path, key, body }: Door): Promise<number> {
  line.takeSent();
  const answer = await fetch(service.url + path, {
    method: "POST",
    headers: {
      ...(key === "api"
        ? { "x-api-key": service.keys.api, "api-key": service.keys.api }
        : { authorization: `Bearer ${service.keys[key]}` }),
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  expect(answer.status, text).toBeLessThan(300);
  return line.takeSent().match(BEGUN)?.length ?? 0;
}
