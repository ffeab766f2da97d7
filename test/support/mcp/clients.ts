import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";

const result = z.looseObject({
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
  isError: z.boolean().optional(),
});

/** How a tool call ended. */
export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
}

/** A tool as clients list it. */
export interface ListedTool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: unknown;
}

/** A call's options. */
export interface CallSettings {
  readonly signal?: AbortSignal;
  /** Called with the message of each progress notification. */
  readonly onProgress?: (message: string) => void;
}

/** An official client that is connected. */
export interface McpClient {
  /** The revision that client and server agreed on. */
  readonly revision: string | undefined;
  listTools(): Promise<readonly ListedTool[]>;
  callTool(name: string, input: Record<string, unknown>, settings?: CallSettings): Promise<ToolAnswer>;
  close(): Promise<void>;
}

/** Where to connect, with which key. */
export interface McpTarget {
  readonly url: string;
  readonly key: string;
}

/** What a person says to a form that a client shows. */
export interface ElicitAnswer {
  readonly action: "accept" | "decline" | "cancel";
  readonly content?: Record<string, string | number | boolean | string[]>;
}

/** A form that a client shows. */
export interface ElicitForm {
  readonly message: string;
  readonly requestedSchema: unknown;
}

/** A client's settings. */
export interface ConnectSettings {
  /** Answers forms; without it, the client supports none. */
  readonly elicit?: (form: ElicitForm) => Promise<ElicitAnswer>;
  readonly fetch?: typeof fetch;
}

/** Connects a client of one of the official packages to a service. */
export type ConnectMcp = (target: McpTarget, settings?: ConnectSettings) => Promise<McpClient>;

const IDENTITY = { name: "muster-tests", version: "1" };

function endpoint({ url, key }: McpTarget, { fetch }: ConnectSettings) {
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  return [new URL("/mcp", url), { requestInit, ...(fetch && { fetch }) }] as const;
}

const form = z.looseObject({ message: z.string(), requestedSchema: z.unknown() });

function capabilities({ elicit }: ConnectSettings) {
  return elicit === undefined ? {} : { elicitation: { form: {} } };
}

function options({ signal, onProgress }: CallSettings) {
  return {
    ...(signal && { signal }),
    ...(onProgress && { onprogress: ({ message = "" }: { message?: string | undefined }) => onProgress(message) }),
  };
}

function answer(received: unknown): ToolAnswer {
  const { content, isError = false } = result.parse(received);
  return { text: content.map(({ text = "" }) => text).join(""), isError };
}

/** Connects the second generation's client in one of its two eras: stateless (2026-07-28) or with a handshake. */
function connectV2(mode: "auto" | "legacy"): ConnectMcp {
  return async (target, using = {}) => {
    const client = new Client(IDENTITY, { versionNegotiation: { mode }, capabilities: capabilities(using) });
    const { elicit } = using;
    if (elicit)
      client.setRequestHandler("elicitation/create", async ({ params }) => ({ ...(await elicit(form.parse(params))) }));
    await client.connect(new StreamableHTTPClientTransport(...endpoint(target, using)));
    return {
      revision: client.getNegotiatedProtocolVersion(),
      listTools: async () => (await client.listTools()).tools,
      callTool: async (name, input, settings = {}) =>
        answer(await client.callTool({ name, arguments: input }, options(settings))),
      close: () => client.close(),
    };
  };
}

const connectV1: ConnectMcp = async (target, using = {}) => {
  const client = new ClientV1(IDENTITY, { capabilities: capabilities(using) });
  const { elicit } = using;
  if (elicit)
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => ({ ...(await elicit(form.parse(params))) }));
  const transport = new TransportV1(...endpoint(target, using));
  await client.connect(transport);
  return {
    revision: transport.protocolVersion,
    listTools: async () => (await client.listTools()).tools,
    callTool: async (name, input, settings = {}) =>
      answer(await client.callTool({ name, arguments: input }, undefined, options(settings))),
    close: () => client.close(),
  };
};

/** The official clients, by what they speak. */
export const MCP_CLIENTS: readonly (readonly [string, ConnectMcp])[] = [
  ["client 2, revision 2026-07-28", connectV2("auto")],
  ["client 2 with a handshake", connectV2("legacy")],
  ["sdk 1", connectV1],
];
