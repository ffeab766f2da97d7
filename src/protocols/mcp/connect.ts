import { Client, SSEClientTransport, SdkError, SdkErrorCode, SseError } from "@modelcontextprotocol/client";
import type { Progress, Transport, VersionNegotiationMode } from "@modelcontextprotocol/client";
import type { McpAuth } from "./mcp-auth.ts";
import { createConnectionAuth } from "./mcp-auth.ts";
import type { SafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import { createBoundedFetch } from "./bounded-fetch.ts";
import { listTools } from "./list-tools.ts";
import { maySupportSse, toMcpError } from "./mcp-error.ts";
import { McpServerError } from "./mcp-server-error.ts";
import { paramHeaders } from "./param-headers.ts";
import { toolResult } from "./read-content.ts";
import type { ToolCallResult } from "./read-content.ts";
import type { RemoteTool } from "./remote-tool.ts";
import { StreamableTransport } from "./streamable-transport.ts";

const CONNECT_TIMEOUT_MS = 20_000;
/** The SDK requires a time limit; calls are actually limited by their signal. */
const CALL_TIMEOUT_MS = 2 ** 31 - 1;
const END_SESSION_MS = 2_000;
/** The first revision in which parameters are also sent as headers. */
const FIRST_WITH_HEADERS = "2026-07-28";
const CLIENT = { name: "muster", version: "1" };

/** The URL of an MCP server, and the headers of every request to it. */
export interface McpEndpoint {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The account whose tokens requests carry; absent for a server without OAuth. */
  readonly auth?: McpAuth | undefined;
}

/** A server's self-description. */
export interface McpServerInfo {
  readonly name: string | null;
  readonly version: string | null;
  /** The MCP revision in use. */
  readonly protocolVersion: string;
  readonly transport: "streamable_http" | "sse";
}

/** A tool call. */
export interface McpCall {
  /** The tool as described by the server. */
  readonly tool: { readonly name: string; readonly inputSchema: Readonly<Record<string, unknown>> };
  readonly args: Readonly<Record<string, unknown>>;
  /** The same for a call repeated after a crash; sent in `_meta`. */
  readonly idempotencyKey: string;
  /** Also sent in `_meta`. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
}

/** An open connection to an MCP server. */
export interface McpConnection {
  readonly info: McpServerInfo;
  /** The headers and tokens of its requests, to keep out of texts. */
  secrets(): Readonly<Record<string, string>>;
  isOpen(): boolean;
  /** Lists all tools. @throws McpServerError; the signal's reason */
  listTools(signal: AbortSignal): Promise<readonly RemoteTool[]>;
  /** Calls a tool; the server is notified when the signal aborts. @throws McpServerError; the signal's reason */
  callTool(call: McpCall): Promise<ToolCallResult>;
  close(): Promise<void>;
}

/** Callbacks of a connection. */
export interface McpWatcher {
  /** The server's list of tools has changed. */
  readonly onToolsChanged?: () => void;
  readonly onClosed?: () => void;
}

/**
 * Connects to an MCP server through the SSRF guard: over streamable HTTP in its newest common revision, or else over
 * SSE. @throws McpServerError; the signal's reason
 */
export async function connectMcp(
  fetch: SafeFetch,
  endpoint: McpEndpoint,
  { signal, ...watcher }: McpWatcher & { readonly signal: AbortSignal },
): Promise<McpConnection> {
  const open = (choice: TransportChoice) => openConnection(fetch, endpoint, { ...watcher, signal, choice });
  try {
    return await open({ transport: "streamable_http", mode: "auto" }).catch((error: unknown) => {
      // Some servers answer unknown requests with a status that does not reveal their revision.
      if (isUndecided(error)) return open({ transport: "streamable_http", mode: "legacy" });
      throw error;
    });
  } catch (error) {
    signal.throwIfAborted();
    if (!maySupportSse(error)) throw toMcpError(error);
    return open({ transport: "sse", mode: "legacy" }).catch(() => {
      signal.throwIfAborted();
      throw toMcpError(error);
    });
  }
}

interface TransportChoice {
  readonly transport: McpServerInfo["transport"];
  readonly mode: VersionNegotiationMode;
}

async function openConnection(
  safeFetch: SafeFetch,
  { url, headers, auth }: McpEndpoint,
  {
    choice,
    signal,
    onToolsChanged,
    onClosed,
  }: McpWatcher & { readonly choice: TransportChoice; readonly signal: AbortSignal },
): Promise<McpConnection> {
  let isOpen = true;
  let broken: Error | undefined;
  const { authProvider, noting, explain, refusal } = createConnectionAuth(auth);
  const fetch = noting(
    createBoundedFetch(safeFetch, (error) => {
      broken = error;
      void client.close();
    }),
  );
  const client = new Client(CLIENT, {
    versionNegotiation: { mode: choice.mode },
    inputRequired: { autoFulfill: false },
    listChanged: { tools: { autoRefresh: false, onChanged: () => onToolsChanged?.() } },
  });
  const transport =
    choice.transport === "sse"
      ? new SSEClientTransport(new URL(url), { fetch, authProvider, requestInit: { headers: { ...headers } } })
      : new StreamableTransport(new URL(url), { fetch, headers, authProvider });
  Object.assign(client, {
    onclose() {
      isOpen = false;
      onClosed?.();
    },
    // A reopened event stream belongs to another session.
    onerror: (error: Error) => void (SseError.isInstance(error) && client.close()),
  } satisfies Pick<Client, "onclose" | "onerror">);
  try {
    await client.connect(transport, { timeout: CONNECT_TIMEOUT_MS, signal });
  } catch (error) {
    await client.close();
    throw (await explain(error)) ?? refusal() ?? (broken === undefined ? error : toMcpError(broken));
  }
  void client.autoOpenedSubscription?.closed.then((why) => void (why === "local" || client.close()));
  const explained = async <T>(work: Promise<T>) =>
    work.catch(async (error: unknown) => {
      throw (await explain(error)) ?? (broken === undefined ? error : toMcpError(broken));
    });
  return {
    info: infoOf(client, choice.transport),
    secrets: () => ({ ...headers, ...auth?.used() }),
    isOpen: () => isOpen,
    listTools: (until) => explained(listTools(client, until)),
    callTool: (call) => explained(callTool(client, call)),
    close: () => close(client, transport),
  };
}

function isUndecided(error: unknown): boolean {
  return SdkError.isInstance(error) && error.code === SdkErrorCode.EraNegotiationFailed;
}

function infoOf(client: Client, transport: McpServerInfo["transport"]): McpServerInfo {
  const { name = null, version = null } = client.getServerVersion() ?? {};
  const protocolVersion = client.getNegotiatedProtocolVersion();
  if (protocolVersion === undefined) throw new McpServerError("The server did not name a protocol version.");
  return { name, version, protocolVersion, transport };
}

async function callTool(client: Client, call: McpCall): Promise<ToolCallResult> {
  const { tool, args, idempotencyKey, metadata, signal, onProgress } = call;
  const params = {
    name: tool.name,
    arguments: { ...args },
    _meta: { ...metadata, "muster/idempotency-key": idempotencyKey },
  };
  const isModern = (client.getNegotiatedProtocolVersion() ?? "") >= FIRST_WITH_HEADERS;
  try {
    return await client.request({ method: "tools/call", params }, toolResult, {
      signal,
      timeout: CALL_TIMEOUT_MS,
      ...(isModern && { headers: paramHeaders(tool.inputSchema, args) }),
      ...(onProgress !== undefined && { onprogress: onProgress }),
    });
  } catch (error) {
    signal.throwIfAborted();
    throw toMcpError(error);
  }
}

/** Also ends the session, which the server would otherwise keep for a while. */
async function close(client: Client, transport: Transport): Promise<void> {
  if (transport instanceof StreamableTransport && transport.sessionId !== undefined) {
    const ended = transport.terminateSession().catch(() => undefined);
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, END_SESSION_MS).unref())]);
  }
  await client.close();
}
