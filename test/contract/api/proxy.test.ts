import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "node:tls";
import type { Server } from "node:tls";
import { generate } from "selfsigned";
import { afterAll, beforeAll, expect } from "vitest";
import { readConfig } from "#config/config.ts";
import { apiOf, consoleOf } from "../../support/api.ts";
import { startRemoteAgent } from "../../support/a2a/remote-agent.ts";
import type { RemoteAgent } from "../../support/a2a/remote-agent.ts";
import { createRoute, deliveriesOver } from "../../support/destinations/deliveries.ts";
import { answerJson, startFakeServer } from "../../support/fake-server.ts";
import type { FakeServer } from "../../support/fake-server.ts";
import { addText, createBase, documentRead } from "../../support/knowledge.ts";
import { startMcpServer } from "../../support/mcp/server.ts";
import type { McpServer } from "../../support/mcp/server.ts";
import { startEmbeddingProvider } from "../../support/providers/embedding-provider.ts";
import type { EmbeddingProvider } from "../../support/providers/embedding-provider.ts";
import { startProxy } from "../../support/proxy.ts";
import type { TestProxy } from "../../support/proxy.ts";
import { openAiAgent, startTask, taskEnd } from "../../support/runs.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider } from "../../support/scripted-provider.ts";
import { startProcess, startService } from "../../support/service.ts";
import type { TestProcess } from "../../support/service.ts";
import { toolResult } from "../../support/tool-calls.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

const USER = "muster:p@ss:word";
const MODELS = "models.example";

let folder: string;
let models: ScriptedProvider;
let tls: Server;
let embeddings: EmbeddingProvider;
let web: FakeServer;
let direct: FakeServer;
let mcp: McpServer;
let remote: RemoteAgent;
let proxy: TestProxy;
let service: TestProcess;

const portOf = (url: string) => Number(new URL(url).port);
const locally = (url: string) => url.replace("127.0.0.1", "localhost");

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "muster-proxy-"));
  models = await startScriptedProvider((_, reply) => {
    reply.say("Hello.");
    reply.finish();
  });
  tls = await startTls(portOf(models.baseUrl), join(folder, "root.pem"));
  embeddings = await startEmbeddingProvider();
  const found = { results: [{ title: "Ducks", url: "https://ducks.example/", content: "South." }] };
  web = await startFakeServer(({ path }, response) => answerJson(response, path.startsWith("/search") ? found : {}));
  direct = await startFakeServer((_, response) => answerJson(response, {}));
  mcp = await startMcpServer("stateless");
  remote = await startRemoteAgent({ protocol: "1.0" });
  const ofTls = tls.address();
  proxy = await startProxy({
    user: USER,
    hosts: {
      [MODELS]: typeof ofTls === "object" && ofTls !== null ? ofTls.port : 0,
      "embeddings.example": portOf(embeddings.url),
      "search.example": portOf(web.url),
    },
  });
  service = await startProcess({
    env: {
      NODE_EXTRA_CA_CERTS: join(folder, "root.pem"),
      ALLOW_PRIVATE_URLS: "true",
      https_proxy: withUser(proxy.url),
      HTTP_PROXY: withUser(proxy.url),
      no_proxy: `elsewhere.example, localhost:${portOf(direct.url)}`,
      OPENAI_BASE_URL: `https://${MODELS}/v1`,
      OPENAI_API_KEY: "key",
      GOOGLE_BASE_URL: "http://embeddings.example/v1beta",
      GOOGLE_GENERATIVE_AI_API_KEY: "key",
      EMBEDDING_MODEL: "google/gemini-embedding-001",
      SEARXNG_URL: "http://search.example",
    },
  });
});
afterAll(async () => {
  await service.stop();
  await Promise.all([models, embeddings, web, direct, mcp, remote, proxy].map((one) => one.close()));
  tls.close();
  await rm(folder, { recursive: true });
});

function withUser(url: string): string {
  return url.replace("//", `//${USER.split(":").map(encodeURIComponent).join(":").replace("%3A", ":")}@`);
}

/** Ends TLS for a server on loopback; its certificate is written to a file. */
async function startTls(port: number, file: string): Promise<Server> {
  const { private: key, cert } = await generate([{ name: "commonName", value: MODELS }], {
    extensions: [{ name: "subjectAltName", altNames: [{ type: 2, value: MODELS }] }],
  });
  await writeFile(file, cert);
  const server = createServer({ key, cert }, (socket) => {
    const onward = connect(port, "127.0.0.1");
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
    socket.pipe(onward).pipe(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

const through = (target: string) => proxy.passed.filter((one) => one.target === target).map(({ method }) => method);

verifies("proxy.models", "models are called through a tunnel, embeddings by the proxy of http", async () => {
  const agentId = await openAiAgent(service);
  const end = await taskEnd(service, await startTask(service, agentId, { title: "by proxy" }));
  expect(end).toMatchObject({ status: "completed", result: "Hello." });
  expect(models.callsOf("by proxy")[0]?.headers).not.toHaveProperty("proxy-authorization");
  expect(through(`${MODELS}:443`)).toEqual(["CONNECT"]);
  const desk = consoleOf(service, service.keys.api);
  const { id } = await addText(desk, await createBase(desk), { name: "Ducks", text: "Ducks go south." });
  await documentRead(desk, id);
  expect(embeddings.embedded).toHaveLength(1);
  expect(through("embeddings.example")).toEqual(["POST"]);
});

verifies("proxy.tools", "tools, MCP servers and remote agents are called through the proxy", async () => {
  const desk = consoleOf(service, service.keys.api);
  const { id: agentId } = await createAgent(apiOf(service, service.keys.api), { tools: ["web_search", "read_url"] });
  const call = (name: string, args: object) => toolResult(service, { agentId, name, args });
  expect(await call("web_search", { query: "ducks" })).toContain("Ducks");
  expect(through("search.example")).toEqual(["GET"]);
  await call("read_url", { url: `${locally(web.url)}/page` });
  expect(through(new URL(locally(web.url)).host)).toEqual(["GET"]);
  expect((await desk.post("/mcp-servers", { name: "tools", url: locally(mcp.url) })).status).toBe(201);
  expect(through(new URL(locally(mcp.url)).host)).toContain("POST");
  expect((await desk.post("/remote-agents", { base_url: locally(remote.url) })).status).toBe(201);
  expect(through(new URL(locally(remote.url)).host)).toEqual(["GET"]);
});

verifies("proxy.deliveries", "deliveries go through the proxy, and to a host of NO_PROXY directly", async () => {
  const desk = consoleOf(service, service.keys.api);
  for (const [receiver, methods] of [
    [web, ["POST"]],
    [direct, []],
  ] as const) {
    const before = through(new URL(locally(receiver.url)).host).length;
    const { id } = await createRoute(desk, `${locally(receiver.url)}/hook`);
    expect((await desk.post(`/routes/${id}/test`, {})).status).toBeLessThan(300);
    expect((await deliveriesOver(desk, id))[0]).toMatchObject({ status: "success" });
    expect(through(new URL(locally(receiver.url)).host).slice(before)).toEqual(methods);
  }
  expect(direct.seen).toHaveLength(1);
});

verifies("proxy.guard", "a URL of a workspace that is forbidden is not asked of the proxy", async () => {
  const open = await startProxy({});
  const guarded = await startService({ env: { HTTP_PROXY: open.url, HTTPS_PROXY: open.url } });
  const { id: agentId } = await createAgent(apiOf(guarded, guarded.keys.api), { tools: ["http_request"] });
  for (const url of [
    `${web.url}/`,
    `${locally(web.url)}/`,
    "https://localhost/",
    "http://169.254.169.254/latest/meta-data/",
    "http://metadata.google.internal/",
  ]) {
    expect(await toolResult(guarded, { agentId, name: "http_request", args: { url } })).toContain("is rejected");
  }
  expect(open.passed).toEqual([]);
  await guarded.stop();
  await open.close();
});

/** What a call of a model says whose proxy has this URL. */
async function failureWith(url: string, baseUrl: string): Promise<unknown> {
  const env = { HTTPS_PROXY: url, HTTP_PROXY: url, OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: "k", MODEL_ATTEMPTS: "1" };
  const started = await startService({ env });
  const agentId = await openAiAgent(started);
  const { error } = await taskEnd(started, await startTask(started, agentId));
  await started.stop();
  return error;
}

verifies("proxy.errors", "a proxy that wants another password, or is away, is named by its setting", async () => {
  const strict = await startProxy({ user: USER });
  const wanted = `the proxy of HTTPS_PROXY wants a user name and password in its URL (HTTP 407)`;
  expect(await failureWith(strict.url, `https://${MODELS}/v1`)).toContain(wanted);
  expect(await failureWith(strict.url, `http://${MODELS}/v1`)).toContain(wanted.replace("HTTPS_", "HTTP_"));
  const wrong = strict.url.replace("//", "//ann:s3cret@");
  const rejected = await failureWith(wrong, `https://${MODELS}/v1`);
  expect(rejected).toContain("the proxy of HTTPS_PROXY rejects the user name and password of its URL (HTTP 407)");
  expect(rejected).not.toContain("s3cret");
  await strict.close();
  const away = await failureWith(wrong, `https://${MODELS}/v1`);
  expect(away).toContain("the proxy of HTTPS_PROXY fails: it rejects connections (ECONNREFUSED)");
  expect(String(away)).not.toMatch(/s3cret|127\.0\.0\.1/);
});

verifies("proxy.settings", "a proxy's URL without a scheme is one of http; an invalid one is named, not shown", () => {
  expect(readConfig({ HTTP_PROXY: "proxy.example:3128" })).toMatchObject({ HTTP_PROXY: "http://proxy.example:3128" });
  const both = { HTTP_PROXY: "http://a.example", http_proxy: "http://b.example" };
  expect(readConfig({ ...both, HTTPS_PROXY: "" })).toMatchObject({ HTTP_PROXY: "http://b.example" });
  for (const invalid of ["socks5://ann:s3cret@proxy.example", "http://ann:s3cret%@proxy.example", "http://"]) {
    expect(() => readConfig({ HTTPS_PROXY: invalid })).toThrow(
      /HTTPS_PROXY (?:must be an http or https URL|has a user)/,
    );
    expect(() => readConfig({ HTTPS_PROXY: invalid })).not.toThrow(/s3cret/);
  }
});
