import { consoleOf, fieldsOf } from "../api.ts";
import type { Api } from "../api.ts";
import { useScriptedService } from "../providers/scripted-agents.ts";
import type { ScriptedWorkspace } from "../providers/scripted-agents.ts";
import { toolResult } from "../tool-calls.ts";
import { createAgent } from "../work.ts";
import { startMcpServer } from "./server.ts";
import type { McpKind, McpServer } from "./server.ts";

/** What a server's registration may differ in from a usual one. */
export interface RegisterOptions {
  /** The names of the tools that the agent gets; by default `echo`. */
  readonly tools?: readonly string[];
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly agent?: Readonly<Record<string, unknown>>;
}

/** A registered server and an agent that has tools of it. */
export interface RegisteredServer {
  readonly id: string;
  readonly name: string;
  readonly agentId: string;
  /** Lets the agent call a tool; the result that it gets. */
  call(tool: string, args: object): Promise<string>;
}

/** A workspace that uses MCP servers. */
export interface McpScene extends ScriptedWorkspace {
  /** The console's API. */
  readonly desk: Api;
  /** Registers a server and makes an agent that has these of its tools. */
  register(server: Pick<McpServer, "url">, options?: RegisterOptions): Promise<RegisteredServer>;
}

/** Opens it in the scripted service. */
export async function openMcpScene(): Promise<McpScene> {
  const workspace = await useScriptedService();
  const { service, api } = workspace;
  const desk = consoleOf(service, service.keys.api);
  let registered = 0;
  return {
    ...workspace,
    desk,
    async register({ url }, { tools = ["echo"], fields = {}, agent = {} } = {}) {
      const name = `server-${(registered += 1)}`;
      const made = await desk.post("/mcp-servers", { name, url, ...fields });
      if (made.status !== 201) throw new Error(`A server was rejected with ${made.status}: ${made.text}`);
      const names = tools.map((tool) => `mcp:${name}/${tool}`);
      const { id: agentId } = await createAgent(api, { tools: names, ...agent });
      return {
        id: String(fieldsOf(made)["id"]),
        name,
        agentId,
        call: (tool, args) => toolResult(service, { agentId, name: `${name}--${tool}`, args }),
      };
    },
  };
}

/** Runs a server for as long as it is used. */
export async function withServer(kind: McpKind, use: (server: McpServer) => Promise<void>): Promise<void> {
  const server = await startMcpServer(kind);
  try {
    await use(server);
  } finally {
    await server.close();
  }
}
