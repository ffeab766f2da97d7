import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { z } from "zod";
import { answerJson, startFakeServer } from "../fake-server.ts";
import type { FakeServer, SeenRequest } from "../fake-server.ts";

/** The tools of a server that follows no SDK: for each name what it is listed with, and its result. */
export type RawTools = Readonly<Record<string, { readonly listed?: object; readonly result: unknown }>>;

/** How a server says that a session is over: with a status, or with 200 and an error with or without the id. */
export type SessionEnd = "status" | "error" | "error without id";

/** An MCP server of 2025-11-25 with sessions, as JSON. */
export interface RawMcpServer extends FakeServer {
  readonly endpoint: string;
  /** The names of the tools that were called. */
  readonly calls: readonly string[];
  /** How many sessions were opened. */
  sessions(): number;
  /** Ends all sessions. */
  forget(how: SessionEnd): void;
}

const rpc = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.looseObject({ name: z.string().optional() }).optional(),
});

/** Starts one. */
export async function startRawMcpServer(tools: () => RawTools): Promise<RawMcpServer> {
  const calls: string[] = [];
  const open = new Set<string>();
  let opened = 0;
  let end: SessionEnd = "status";

  function answer({ method, body, headers }: SeenRequest, response: ServerResponse): void {
    if (method !== "POST") return void response.writeHead(405).end();
    const { id, method: asked, params } = rpc.parse(JSON.parse(body));
    const send = (result: unknown) => answerJson(response, { jsonrpc: "2.0", id, result });
    if (asked === "initialize") {
      const session = randomUUID();
      open.add(session);
      opened += 1;
      response.setHeader("mcp-session-id", session);
      const serverInfo = { name: "raw", version: "1" };
      return send({ protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo });
    }
    if (asked === "server/discover") {
      return answerJson(response, { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } });
    }
    if (!open.has(String(headers["mcp-session-id"]))) return rejectSession(id, response);
    if (id === undefined) return void response.writeHead(202).end();
    if (asked === "tools/call") {
      const name = params?.name ?? "";
      calls.push(name);
      return send(tools()[name]?.result);
    }
    const listed = Object.entries(tools()).map(([name, tool]) => ({
      name,
      inputSchema: { type: "object" },
      ...tool.listed,
    }));
    send({ tools: listed });
  }

  function rejectSession(id: string | number | undefined, response: ServerResponse): void {
    if (end === "status") return void response.writeHead(404).end();
    const error = { code: -32000, message: "Bad Request: No valid session ID provided" };
    answerJson(response, { jsonrpc: "2.0", id: end === "error" ? id : null, error });
  }

  const server = await startFakeServer(answer);
  return {
    ...server,
    endpoint: `${server.url}/mcp`,
    calls,
    sessions: () => opened,
    forget(how) {
      end = how;
      open.clear();
    },
  };
}
