import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { consoleOf, fieldsOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { answerJson, startFakeServer } from "../../support/fake-server.ts";
import type { FakeServer, SeenRequest } from "../../support/fake-server.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";

/** One more than the longest event of a stream that is read. */
const LONG = 10 * 1_048_576 + 1;

let service: SharedService;
let settings: Api;
let server: FakeServer;

beforeAll(async () => {
  ({ service } = await useScriptedService());
  settings = consoleOf(service, service.keys.api);
  server = await startFakeServer(answer);
});
afterAll(async () => {
  await server.close();
});

/** The path of a base URL says how its agent misbehaves; `/stream/…` has streams. */
function answer({ method, path, body }: SeenRequest, response: ServerResponse): void {
  const base = path.replace(/\/(\.well-known.*|rpc)$/, "");
  if (method === "GET") return answerJson(response, cardOf(base));
  const { id, method: called } = z.looseObject({ id: z.unknown(), method: z.string() }).parse(JSON.parse(body));
  if (called === "CancelTask")
    return answerJson(response, { jsonrpc: "2.0", id, error: { code: -32002, message: "No" } });
  if (base === "/stream/none" && called === "SendStreamingMessage") {
    return answerJson(response, { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } });
  }
  misbehave(base, { id, response });
}

/** The endpoints in cards that name no full URL of their own server. */
const URLS: Readonly<Record<string, string>> = {
  "/ftp": "ftp://127.0.0.1/rpc",
  "/relative/path": "../rpc",
  "/relative/root": "/relative/root/rpc",
};

function cardOf(base: string): object {
  const version = base === "/future" ? "2.0" : "1.0";
  const url = URLS[base] ?? `${server.url}${base}/rpc`;
  const supportedInterfaces = [{ url, protocolBinding: "JSONRPC", protocolVersion: version }];
  return { name: "Hostile", capabilities: { streaming: base.startsWith("/stream/") }, supportedInterfaces };
}

function misbehave(base: string, { id, response }: { readonly id: unknown; readonly response: ServerResponse }): void {
  const send = (result: unknown) => answerJson(response, { jsonrpc: "2.0", id, result });
  const event = (result: unknown) => response.write(`data: ${JSON.stringify({ jsonrpc: "2.0", id, result })}\n\n`);
  if (base === "/500") return answerJson(response, { detail: "Internal Server Error" }, 500);
  if (base === "/stream/500") return void response.writeHead(500, { "content-type": "text/plain" }).end("Oops");
  if (base === "/stream/none" || base.startsWith("/relative/")) {
    return send({ message: { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "Hello" }] } });
  }
  if (base === "/stream/denied") return void response.writeHead(403).end();
  if (base.startsWith("/stream/")) {
    response.writeHead(200, { "content-type": "text/event-stream" });
    event({ task: { id: "t1", status: { state: "TASK_STATE_WORKING" } } });
  }
  switch (base) {
    case "/html":
      return void response.writeHead(200, { "content-type": "text/html" }).end("<h1>Hello</h1>");
    case "/shape":
      return send({ foo: 1 });
    case "/null":
      return send(null);
    case "/error":
      return answerJson(response, { jsonrpc: "2.0", id, error: { code: -32603, message: "Out of order" } });
    case "/redirect":
      return void response.writeHead(307, { location: "http://169.254.169.254/latest/meta-data" }).end();
    case "/reset":
      return void response.destroy();
    case "/closed":
      return void response.writeHead(401, { "content-type": "text/plain" }).end("Who are you?");

    case "/stream/shape":
      return void event({ bar: [] });
    case "/stream/long":
      return void response.write(`data: ${"x".repeat(LONG)}`);
    case "/stream/text":
      return void response.write("data: no JSON\n\n");
    case "/stream/other":
      return void event({ statusUpdate: { taskId: "t2", status: { state: "TASK_STATE_COMPLETED" } } });
    case "/stream/open":
      return void event({ statusUpdate: { taskId: "t1", status: { state: "TASK_STATE_COMPLETED" } } });
    case "/stream/artifacts":
      for (let n = 0; n <= 1_000; n++) {
        event({ artifactUpdate: { taskId: "t1", artifact: { artifactId: `a${n}`, parts: [] } } });
      }
  }
}

async function outcomeOf(base: string): Promise<unknown> {
  const made = fieldsOf(await settings.post("/remote-agents", { base_url: server.url + base }));
  const tested = await settings.post(`/remote-agents/${String(made["id"])}/test`, { message: "Hello" });
  expect([base, tested.status]).toEqual([base, 200]);
  return tested.body;
}

verifies("a2a-client.hostile", "responses that are not A2A fail with the reason", async () => {
  const reasons = {
    "/html": "no JSON-RPC response",
    "/shape": "not of A2A",
    "/null": "not of A2A",
    "/error": "Out of order (-32603)",
    "/redirect": "169.254.169.254 is rejected",
    "/reset": "cannot be reached",
    "/500": "The remote agent answered with HTTP 500.",
    "/stream/500": "The remote agent answered with HTTP 500.",
    "/closed": "needs a token, and is registered without one (HTTP 401)",
    "/stream/denied": "needs a token, and is registered without one (HTTP 403)",
    "/stream/shape": "not of A2A",
    "/stream/long": "cannot be used",
    "/stream/text": "no JSON-RPC response",
    "/stream/other": "another task",
    "/stream/artifacts": "more than 1000 artifacts",
  };
  for (const [base, reason] of Object.entries(reasons)) {
    const outcome = { status: "failed", output: null, error: expect.stringContaining(reason) };
    expect([base, await outcomeOf(base)]).toMatchObject([base, outcome]);
  }
});

verifies("a2a-client.streams", "a task that has ended is over, although its stream stays open", async () => {
  expect(await outcomeOf("/stream/open")).toMatchObject({ status: "success", error: null });
});

verifies("a2a-client.no-streams", "an agent that announces streams and has none gets the message without", async () => {
  expect(await outcomeOf("/stream/none")).toMatchObject({ status: "success", output: "Hello", error: null });
});

verifies("a2a-client.relative-url", "a relative URL in a card is resolved against the card's own URL", async () => {
  for (const base of ["/relative/path", "/relative/root"]) {
    expect(await outcomeOf(base)).toMatchObject({ status: "success", output: "Hello", error: null });
  }
});

verifies(
  ["a2a-client.bad-cards", "a2a-client.hostile"],
  "a card of a version or with an endpoint that cannot be used is rejected",
  async () => {
    for (const [base, reason] of [
      ["/future", "of A2A 0.x or 1.x; it offers 2.0"],
      ["/ftp", "not a URL of http or https"],
    ] as const) {
      const rejected = refusal(await settings.post("/remote-agents", { base_url: server.url + base }));
      expect(rejected).toMatchObject({ status: 400, paths: ["base_url"], message: expect.stringContaining(reason) });
    }
  },
);
