import { z } from "zod";
import { send } from "../api.ts";
import type { Answer } from "../api.ts";
import type { McpTarget } from "./clients.ts";

const REVISION = "2026-07-28";

/** What a client of 2026-07-28 declares: forms, and the tasks extension. */
export const CAPABILITIES = { elicitation: {}, extensions: { "io.modelcontextprotocol/tasks": {} } } as const;

const named = z.looseObject({ taskId: z.string().optional(), name: z.string().optional() });

/** Sends a request of 2026-07-28 as an official client would, for what they do not offer by themselves. */
export function sendModern(
  { url, key }: McpTarget,
  { method, params = {}, capabilities = CAPABILITIES }: ModernRequest,
): Promise<Answer> {
  const { taskId, name = taskId } = named.parse(params);
  const headers = {
    authorization: `Bearer ${key}`,
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": REVISION,
    "mcp-method": method,
    ...(name !== undefined && { "mcp-name": name }),
  };
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": REVISION,
    "io.modelcontextprotocol/clientCapabilities": capabilities,
  };
  return send("POST", `${url}/mcp`, { headers, body: { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta } } });
}

/** A request, and what its client declares. */
export interface ModernRequest {
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly capabilities?: Readonly<Record<string, unknown>>;
}
