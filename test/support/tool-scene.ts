import type { ServerResponse } from "node:http";
import { consoleOf, listOf } from "./api.ts";
import type { Api } from "./api.ts";
import { createTool } from "./custom-tools.ts";
import { answerJson, startFakeServer } from "./fake-server.ts";
import type { FakeServer, SeenRequest } from "./fake-server.ts";
import { useScriptedService } from "./providers/scripted-agents.ts";
import type { ScriptedWorkspace } from "./providers/scripted-agents.ts";
import { toolResult } from "./tool-calls.ts";
import { createAgent } from "./work.ts";

/** A text that no answer may show. */
export const SECRET = "Bearer sk-of-the-tool-4711";

/** Parameters of a custom tool. */
export const CITY = {
  type: "object",
  properties: { city: { type: "string", minLength: 2 }, days: { type: "integer" } },
  required: ["city"],
  additionalProperties: false,
};

/** A tool and an agent that has it. */
export interface ToolOfAgent {
  readonly id: string;
  readonly name: string;
  readonly agentId: string;
  /** Lets the agent call the tool; the result that it gets. */
  call(args: unknown): Promise<string>;
}

/** A workspace with an endpoint for its tools, which repeats requests; `/hang`, `/refuse` and `/empty` do so. */
export interface ToolScene extends ScriptedWorkspace {
  readonly console: Api;
  readonly endpoint: FakeServer;
  /** Creates a tool with a unique name, and an agent that has it. */
  toolFor(fields: Readonly<Record<string, unknown>>, agent?: Readonly<Record<string, unknown>>): Promise<ToolOfAgent>;
  /** The log of a tool's calls. */
  callsOf(id: string): Promise<readonly Record<string, unknown>[]>;
  /** Ends the endpoint. */
  close(): Promise<void>;
}

/** Opens it in the scripted service. */
export async function openToolScene(): Promise<ToolScene> {
  const workspace = await useScriptedService();
  const { service, api } = workspace;
  const console = consoleOf(service, service.keys.api);
  const endpoint = await startFakeServer(answer);
  let made = 0;
  return {
    ...workspace,
    console,
    endpoint,
    async toolFor(fields, agent = {}) {
      const name = `tool_${(made += 1)}`;
      const id = await createTool(service, { name, url: `${endpoint.url}/echo`, ...fields });
      const { id: agentId } = await createAgent(api, { tools: [`custom:${id}`], ...agent });
      return { id, name, agentId, call: (args) => toolResult(service, { agentId, name, args }) };
    },
    callsOf: async (id) => listOf(await console.get(`/tools/${id}/calls`)),
    close: () => endpoint.close(),
  };
}

function answer({ path, method, body, headers }: SeenRequest, response: ServerResponse): void {
  if (path === "/hang") return;
  if (path === "/refuse") answerJson(response, { fault: `no, ${headers["authorization"]}` }, 422);
  else if (path === "/empty") response.writeHead(204).end();
  else answerJson(response, { method, path, body, sent: headers["authorization"], type: headers["content-type"] });
}
