import { createMCPClient } from "@ai-sdk/mcp";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { apiOf, consoleOf, fieldsOf, send } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { MCP_CLIENTS } from "../../support/mcp/clients.ts";
import type { ConnectMcp, McpClient, McpTarget } from "../../support/mcp/clients.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { startPeer, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";
import { ENDLESS, FAILING, createAgent } from "../../support/work.ts";
import { addKey, addWorkspace } from "../../support/workspace.ts";

const PUBLISHED = { is_mcp_published: true };

let service: TestService;
let provider: ScriptedProvider;

beforeAll(async () => {
  provider = await startScriptedProvider(({ body }, reply) => {
    reply.say(`Asked: ${body.messages.at(-1)?.content}`);
    reply.finish();
  });
  service = await startService({ env: { ...provider.env } });
});
afterAll(async () => {
  await service.stop();
  await provider.close();
});

/** A new workspace with its API and an MCP key. */
async function newWorkspace(): Promise<{ readonly api: Api; readonly target: McpTarget }> {
  const { key, ...workspace } = await addWorkspace(service.databaseUrl);
  const mcpKey = await addKey(service.databaseUrl, { ...workspace, kind: "mcp" });
  return { api: apiOf(service, key), target: { url: service.url, key: mcpKey } };
}

async function withClient<T>(connect: ConnectMcp, target: McpTarget, use: (client: McpClient) => Promise<T>) {
  const client = await connect(target);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

describe.each(MCP_CLIENTS)("%s", (_name, connect) => {
  verifies(
    ["mcp.server.published-agents", "mcp.server.tool-description", "mcp.server.tool-input"],
    "lists the published agents of the key's workspace, each with one string as input",
    async () => {
      const { api, target } = await newWorkspace();
      await createAgent(api, { ...PUBLISHED, name: "Data Analyst", description: "Reads numbers." });
      await createAgent(api, { name: "Private" });
      await createAgent(apiOf(service, service.keys.api), { ...PUBLISHED, name: "Foreign" });
      const tools = await withClient(connect, target, (client) => client.listTools());
      expect(tools).toMatchObject([
        {
          name: "data_analyst",
          description: "Reads numbers.",
          inputSchema: {
            type: "object",
            properties: { message: { type: "string" } },
            required: ["message"],
            additionalProperties: false,
          },
        },
      ]);
    },
  );

  verifies(["mcp.server.full-run", "mcp.server.progress"], "runs the agent and shows what it does", async () => {
    const { api, target } = await newWorkspace();
    const voice = { tone: "Formal", custom_instructions: "Bow first." };
    await createAgent(api, {
      ...PUBLISHED,
      model: "gpt-4o",
      name: "Echo",
      system_prompt: "You repeat.",
      voice_profile: voice,
    });
    const progress: string[] = [];
    const answer = await withClient(connect, target, (client) =>
      client.callTool("echo", { message: "hello" }, { onProgress: (message) => progress.push(message) }),
    );
    expect(answer).toEqual({ text: "Asked: hello", isError: false });
    expect(progress.join("")).toBe("Asked: hello");
    const prompt = provider.calls.at(-1)?.body.messages[0]?.content;
    expect(prompt).toContain("You repeat.");
    expect(prompt).toContain("Bow first.");
  });

  verifies("mcp.server.failed-is-error", "a failed task is a result with isError", async () => {
    const { api, target } = await newWorkspace();
    await createAgent(api, { ...PUBLISHED, name: "Clumsy" });
    await withClient(connect, target, async (client) => {
      const answer = await client.callTool("clumsy", { message: FAILING });
      expect(answer).toMatchObject({ isError: true, text: expect.stringContaining("boom") });
      const wrong = await client.callTool("clumsy", { message: 7 });
      expect(wrong).toMatchObject({ isError: true, text: "Invalid arguments: message must be text" });
      await expect(client.callTool("nobody", { message: "x" })).rejects.toThrow(/Unknown tool: nobody/);
    });
  });

  verifies("mcp.server.cancel", "a call that its client cancels cancels the task", async () => {
    const { api, target } = await newWorkspace();
    await createAgent(api, { ...PUBLISHED, name: "Slow" });
    await withClient(connect, target, async (client) => {
      const cancel = new AbortController();
      const call = client.callTool("slow", { message: ENDLESS }, { signal: cancel.signal });
      const statuses = async () => JSON.stringify((await api.get("/api-tasks")).body);
      await eventually("the task runs", async () => (await statuses()).includes('"running"'));
      cancel.abort();
      await expect(call).rejects.toThrow(/abort/i);
      await eventually("the task is cancelled", async () => (await statuses()).includes('"cancelled"'));
    });
  });
});

verifies(
  ["mcp.server.both-eras", "auth.mcp.bearer"],
  "clients with and without a handshake agree on their newest revision",
  async () => {
    const target = { url: service.url, key: service.keys.mcp };
    const revisions = [];
    for (const [, connect] of MCP_CLIENTS) revisions.push(await withClient(connect, target, async (c) => c.revision));
    expect(revisions).toEqual(["2026-07-28", "2025-11-25", "2025-11-25"]);
  },
);

verifies("mcp.server.stateless", "no session is opened, and DELETE is not allowed", async () => {
  const headers = { authorization: `Bearer ${service.keys.mcp}`, accept: "application/json, text/event-stream" };
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const listed = await send("POST", `${service.url}/mcp`, { headers, body: list });
  expect(listed.status).toBe(200);
  expect(listed.headers.get("mcp-session-id")).toBeNull();
  const { authorization } = headers;
  for (const [method, sent] of [
    ["GET", { authorization }],
    ["DELETE", headers],
  ] as const) {
    const refused = await send(method, `${service.url}/mcp`, { headers: sent });
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "POST"]);
  }
});

verifies("mcp.server.unauthorized", "no key, a wrong one and one of another kind are 401", async () => {
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  for (const authorization of [undefined, "Bearer nonsense", `Bearer ${service.keys.agui}`]) {
    const headers = { ...(authorization !== undefined && { authorization }) };
    const answer = await send("POST", `${service.url}/mcp`, { headers, body: list });
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, expect.stringMatching(/^Bearer\b/)]);
  }
});

verifies(
  ["mcp.server.tool-name", "mcp.server.tool-name-runs", "mcp.server.tool-name-collision"],
  "tool names are reduced, bounded, and numbered where they collide",
  async () => {
    const { api, target } = await newWorkspace();
    for (const name of ["Q&A  Bot!", "q a bot (?)", "x".repeat(80)]) await createAgent(api, { ...PUBLISHED, name });
    const [[, connect] = expect.unreachable()] = MCP_CLIENTS;
    const tools = await withClient(connect, target, (client) => client.listTools());
    expect(tools.map(({ name }) => name)).toEqual(["q_a_bot", "q_a_bot_2", "x".repeat(64)]);
    const { id } = await createAgent(api, { ...PUBLISHED, name: "研究助手" });
    const [tool] = (await withClient(connect, target, (client) => client.listTools())).slice(-1);
    expect(tool).toMatchObject({ name: `agent_${id.slice(-8)}`, title: "研究助手" });
  },
);

verifies(
  "mcp.server.cancel-anywhere",
  "a client with a handshake cancels on whichever process its notification arrives",
  async () => {
    const other = await startPeer({ databaseUrl: service.databaseUrl, keys: service.keys });
    const { api, target } = await newWorkspace();
    await createAgent(api, { ...PUBLISHED, name: "Slow" });
    const [, [, connect] = expect.unreachable()] = MCP_CLIENTS;
    const headers = { authorization: `Bearer ${target.key}`, accept: "application/json, text/event-stream" };
    const call = {
      jsonrpc: "2.0",
      id: "call-7",
      method: "tools/call",
      params: { name: "slow", arguments: { message: ENDLESS } },
    };
    try {
      const answer = send("POST", `${service.url}/mcp`, { headers, body: call });
      const statuses = async () => JSON.stringify((await api.get("/api-tasks")).body);
      await eventually("the task runs", async () => (await statuses()).includes('"running"'));
      const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "call-7" } };
      expect((await send("POST", `${other.url}/mcp`, { headers, body: cancelled })).status).toBe(202);
      await eventually("the task is cancelled", async () => (await statuses()).includes('"cancelled"'));
      await answer;
      expect(await withClient(connect, { ...target, url: other.url }, (client) => client.listTools())).toHaveLength(1);
    } finally {
      await other.stop();
    }
  },
  { tags: "slow" },
);

/** What a call of each era adds: its headers, and its `_meta`. */
const ERAS = {
  "2026-07-28": {
    headers: { "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": "until_revoked" },
    meta: {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  },
  "2025-11-25": { headers: {}, meta: {} },
} as const;

describe.each(Object.entries(ERAS))("a call of %s", (_era, { headers, meta }) => {
  for (const progress of [{ progressToken: 1 }, {}]) {
    const how = "progressToken" in progress ? "with progress" : "without progress";
    verifies("mcp.server.ends-with-credential", `${how} ends when its key is revoked`, async () => {
      const { key } = await addWorkspace(service.databaseUrl);
      const api = apiOf(service, key);
      await createAgent(api, { ...PUBLISHED, name: "Until revoked" });
      const made = fieldsOf(await consoleOf(service, key).post("/keys", { label: "Soon gone", kind: "mcp" }));
      const params = { name: "until_revoked", arguments: { message: ENDLESS }, _meta: { ...meta, ...progress } };
      const answer = send("POST", `${service.url}/mcp`, {
        headers: { authorization: `Bearer ${String(made["key"])}`, ...headers },
        body: { jsonrpc: "2.0", id: 1, method: "tools/call", params },
      });
      const statuses = async () => JSON.stringify((await api.get("/api-tasks")).body);
      await eventually("the task runs", async () => (await statuses()).includes('"running"'));
      expect((await consoleOf(service, key).delete(`/keys/${String(made["id"])}`)).status).toBe(204);
      expect((await answer).text).not.toContain('"content"');
      await eventually("the task is cancelled", async () => (await statuses()).includes('"cancelled"'));
    });
  }
});

verifies("mcp.server.ai-sdk", "the AI SDK's client lists and calls", async () => {
  const { api, target } = await newWorkspace();
  await createAgent(api, { ...PUBLISHED, name: "Helper", description: "Helps.", model: "gpt-4o" });
  const headers = { Authorization: `Bearer ${target.key}` };
  const client = await createMCPClient({ transport: { type: "http", url: `${target.url}/mcp`, headers } });
  try {
    const { tools } = await client.listTools();
    expect(tools).toMatchObject([{ name: "helper", description: "Helps." }]);
    const answer = await client.callTool({ name: "helper", arguments: { message: "Hello." } });
    expect(answer).toMatchObject({ content: [{ type: "text", text: "Asked: Hello." }] });
    const wrong = await client.callTool({ name: "helper", arguments: {} });
    expect(wrong).toMatchObject({ isError: true });
  } finally {
    await client.close();
  }
});

verifies("mcp.server.batch", "a batch is rejected, except in the revision that has batches", async () => {
  const headers = { authorization: `Bearer ${service.keys.mcp}`, accept: "application/json, text/event-stream" };
  const body = [1, 2].map((id) => ({ jsonrpc: "2.0", id, method: "tools/list", params: {} }));
  const rejected = await send("POST", `${service.url}/mcp`, {
    headers: { ...headers, "MCP-Protocol-Version": "2025-11-25" },
    body,
  });
  expect([rejected.status, rejected.body]).toMatchObject([400, { id: null, error: { code: -32_600 } }]);
  const accepted = await send("POST", `${service.url}/mcp`, { headers, body });
  expect(accepted.status).toBe(200);
  expect(accepted.text).toContain('"id":2');
});

verifies("mcp.server.json", "a client that does not ask for a stream gets JSON, also after progress", async () => {
  const { api, target } = await newWorkspace();
  await createAgent(api, { ...PUBLISHED, model: "gpt-4o", name: "Echo" });
  const call = (id: number) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "echo", arguments: { message: `Grüße ${id}` }, _meta: { progressToken: id } },
  });
  const answerTo = (id: number) => ({
    jsonrpc: "2.0",
    id,
    result: { content: [{ type: "text", text: `Asked: Grüße ${id}` }] },
  });
  for (const accept of ["*/*", "application/json", "application/json, text/plain, */*"]) {
    const headers = { authorization: `Bearer ${target.key}`, accept };
    const answered = await send("POST", `${target.url}/mcp`, { headers, body: call(1) });
    expect(answered.headers.get("content-type")).toBe("application/json");
    expect(answered.body).toEqual(answerTo(1));
    const batch = await send("POST", `${target.url}/mcp`, { headers, body: [call(2)] });
    expect(batch.body).toEqual([answerTo(2)]);
  }
  const headers = { authorization: `Bearer ${target.key}`, accept: "text/event-stream" };
  const streamed = await send("POST", `${target.url}/mcp`, { headers, body: call(3) });
  expect(streamed.text).toContain(JSON.stringify(answerTo(3).result));
});

verifies("mcp.server.rebinding", "a foreign Host or Origin is 403 over loopback", async () => {
  const list = (origin: string) =>
    send("POST", `${service.url}/mcp`, {
      headers: { authorization: `Bearer ${service.keys.mcp}`, origin },
      body: { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} },
    });
  expect((await list("https://evil.example")).status).toBe(403);
  expect((await list(service.url)).status).toBe(200);
});
