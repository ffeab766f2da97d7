import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { Server as ModernServer, createMcpHandler } from "@modelcontextprotocol/server";
import { SSEServerTransport } from "@modelcontextprotocol/sdk/server/sse.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { getRequestListener } from "@hono/node-server";
import { z } from "zod";

/** Which revision a server speaks, and how: `sessions` and `sse` are of before 2026-07-28. */
export type McpKind = "stateless" | "sessions" | "sse";

/** One call of a tool that a server got. */
export interface McpCallSeen {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly idempotencyKey: unknown;
  /** Its position in a trace, as `_meta` has it. */
  readonly traceparent: unknown;
}

/** An MCP server of another provider, on loopback, made with the official SDKs. */
export interface McpServer {
  /** Its endpoint. */
  readonly url: string;
  readonly port: number;
  readonly calls: readonly McpCallSeen[];
  /** The headers of all requests. */
  readonly headers: readonly IncomingMessage["headers"][];
  /** How many calls of `hang` were cancelled by their client. */
  cancelled(): number;
  /** Adds a tool, or removes it again, and notifies the clients. */
  setTools(names: readonly string[]): Promise<void>;
  /** Ends every call of `hang` and of `steps` with this text. */
  release(text: string): void;
  close(): Promise<void>;
}

/** A picture of one pixel. */
export const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const INFO = { name: "test-server", version: "3.2.1" };
const OPTIONS = { capabilities: { tools: { listChanged: true } } };
const TEXT = { type: "object" as const, properties: { text: { type: "string" } }, additionalProperties: false };
/** A tool that is called with a header, whose value the SDK's server compares, and one whose annotation is broken. */
const WITH_HEADER = { text: { type: "string", "x-mcp-header": "Text" } };
const BROKEN_HEADER = { text: { type: "string", "x-mcp-header": "no name" } };
/** The tools that every server has; see {@link result}. */
const TOOLS = ["echo", "count", "picture", "files", "fail", "hang", "steps", "odd name.of/tool"];

const params = z.looseObject({
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()).default({}),
  _meta: z.looseObject({ "muster/idempotency-key": z.unknown(), traceparent: z.unknown().optional() }).optional(),
});

/** Starts one. @param port to start it again where it was */
export async function startMcpServer(kind: McpKind, port = 0): Promise<McpServer> {
  const calls: McpCallSeen[] = [];
  const headers: IncomingMessage["headers"][] = [];
  const hanging = new Set<(text: string) => void>();
  let names: readonly string[] = TOOLS;
  let cancelled = 0;

  const list = () => ({
    tools: names.map((name) => ({
      name,
      description: `Does ${name}.`,
      inputSchema: schemaOf(name),
      ...(name === "fail" && { annotations: { destructiveHint: true } }),
    })),
  });
  async function call(request: unknown, client: Caller) {
    const { name, arguments: args, _meta } = params.parse(request);
    calls.push({
      tool: name,
      args,
      idempotencyKey: _meta?.["muster/idempotency-key"],
      traceparent: _meta?.traceparent,
    });
    if (name === "steps") for (const step of [1, 2, 3]) await client.progress(step, `step ${step}`);
    else if (name !== "hang") return result(name, args);
    return new Promise<ToolResult>((resolve) => {
      hanging.add((text) => resolve(say(text)));
      client.signal.addEventListener("abort", () => (cancelled += 1), { once: true });
    });
  }

  const served = kind === "stateless" ? serveStateless(list, call) : serveSessions(kind, list, call);
  const server = createServer((request, response) => {
    headers.push(request.headers);
    void served.handle(request, response);
  }).listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A server on loopback has a port.");
  return {
    url: `http://127.0.0.1:${address.port}${kind === "sse" ? "/sse" : "/mcp"}`,
    port: address.port,
    calls,
    headers,
    cancelled: () => cancelled,
    async setTools(now) {
      names = now;
      await served.notify();
    },
    release(text) {
      for (const end of hanging) end(text);
      hanging.clear();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function schemaOf(name: string): typeof TEXT {
  if (name === "headed") return { ...TEXT, properties: WITH_HEADER };
  return name === "broken" ? { ...TEXT, properties: BROKEN_HEADER } : TEXT;
}

interface Caller {
  readonly signal: AbortSignal;
  progress(value: number, message: string): Promise<void>;
}

interface ToolResult {
  [key: string]: unknown;
  content: (
    | { type: "text"; text: string }
    | { type: "image" | "audio"; data: string; mimeType: string }
    | { type: "resource"; resource: { uri: string; text: string } }
    | { type: "resource_link"; uri: string; name: string }
  )[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

function say(text: string): ToolResult {
  return { content: [{ type: "text", text }] };
}

function result(name: string, args: Readonly<Record<string, unknown>>): ToolResult {
  const text = z.string().default("").parse(args["text"]);
  switch (name) {
    case "count":
      return { content: [], structuredContent: { length: text.length } };
    case "picture":
      return {
        content: [
          { type: "text", text: "Here it is." },
          { type: "image", data: PIXEL, mimeType: "image/png" },
        ],
      };
    case "files":
      return {
        content: [
          { type: "audio", data: "AAAA", mimeType: "audio/wav" },
          { type: "resource", resource: { uri: "file:///notes.txt", text: "some notes" } },
          { type: "resource_link", uri: "https://example.org/more", name: "more" },
        ],
      };
    case "fail":
      return { ...say(`It did not work: ${text}`), isError: true };
    default:
      return say(`${name}: ${text}`);
  }
}

interface Served {
  handle(request: IncomingMessage, response: ServerResponse): unknown;
  notify(): Promise<void>;
}

type List = () => { tools: { name: string; description: string; inputSchema: typeof TEXT }[] };
type Call = (request: unknown, client: Caller) => Promise<ToolResult>;

function serveStateless(list: List, call: Call): Served {
  const handler = createMcpHandler(() => {
    const server = new ModernServer(INFO, OPTIONS);
    server.setRequestHandler("tools/list", list);
    server.setRequestHandler("tools/call", (request, { mcpReq }) =>
      call(request.params, {
        signal: mcpReq.signal,
        async progress(progress, message) {
          const progressToken = mcpReq._meta?.progressToken;
          if (progressToken === undefined) return;
          await mcpReq.notify({
            method: "notifications/progress",
            params: { progressToken, progress, total: 3, message },
          });
        },
      }),
    );
    return server;
  });
  return {
    handle: getRequestListener((request) => handler.fetch(request)),
    notify: async () => handler.notify.toolsChanged(),
  };
}

function serveSessions(kind: "sessions" | "sse", list: List, call: Call): Served {
  const sessions = new Map<
    string,
    { readonly server: Server; readonly transport: StreamableHTTPServerTransport | SSEServerTransport }
  >();
  const newServer = () => {
    const server = new Server(INFO, OPTIONS);
    server.setRequestHandler(ListToolsRequestSchema, list);
    server.setRequestHandler(CallToolRequestSchema, (request, { signal, _meta, sendNotification }) =>
      call(request.params, {
        signal,
        async progress(progress, message) {
          const progressToken = _meta?.progressToken;
          if (progressToken === undefined) return;
          await sendNotification({
            method: "notifications/progress",
            params: { progressToken, progress, total: 3, message },
          });
        },
      }),
    );
    return server;
  };

  async function openSse(response: ServerResponse): Promise<void> {
    const transport = new SSEServerTransport("/messages", response);
    const server = newServer();
    sessions.set(transport.sessionId, { server, transport });
    await server.connect(transport);
  }

  async function openSession(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await json(request);
    const isHandshake = z.looseObject({ method: z.literal("initialize") }).safeParse(body).success;
    if (!isHandshake) {
      response.writeHead(400).end("No valid session.");
      return;
    }
    const server = newServer();
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, { server, transport }),
    });
    await server.connect(transport);
    await transport.handleRequest(request, response, body);
  }

  return {
    async handle(request, response) {
      const url = new URL(request.url ?? "/", "http://localhost");
      if (kind === "sse") {
        if (request.method === "GET" && url.pathname === "/sse") return openSse(response);
        const { transport } = sessions.get(url.searchParams.get("sessionId") ?? "") ?? {};
        if (transport instanceof SSEServerTransport && url.pathname === "/messages") {
          return transport.handlePostMessage(request, response);
        }
        return response.writeHead(404).end();
      }
      const id = request.headers["mcp-session-id"];
      if (id === undefined) return openSession(request, response);
      const { transport } = sessions.get(String(id)) ?? {};
      if (transport instanceof StreamableHTTPServerTransport) return transport.handleRequest(request, response);
      return response.writeHead(404).end("Session not found.");
    },
    async notify() {
      for (const { server } of sessions.values()) {
        if (server.transport !== undefined) await server.sendToolListChanged();
      }
    },
  };
}
