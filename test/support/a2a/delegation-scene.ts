import { apiOf, consoleOf } from "../api.ts";
import type { Api } from "../api.ts";
import { eventually } from "../eventually.ts";
import { callOf } from "../interactions.ts";
import type { TestAccess } from "../service.ts";
import { readToEnd } from "../sse-client.ts";
import { ofType } from "../valid-stream.ts";
import { createAgent, createTask, readTask } from "../work.ts";
import { startRemoteAgent } from "./remote-agent.ts";
import type { RemoteAgent, RemoteAgentOptions } from "./remote-agent.ts";

const ENDS = new Set(["completed", "failed", "cancelled"]);

/** A workspace with an agent that delegates to remote agents. */
export interface DelegationScene {
  readonly service: TestAccess;
  readonly api: Api;
  /** The console's API. */
  readonly settings: Api;
  readonly agentId: string;
  /** Registers a remote agent and returns its id. */
  register(baseUrl: string, token?: string): Promise<string>;
  /** Starts a task whose agent delegates a message. */
  delegating(remoteId: string, message: string): Promise<string>;
  /** Runs one to its end: the result of the tool call. */
  delegated(remoteId: string, message: string): Promise<string>;
  /** The result of the tool call of a task. */
  resultOf(taskId: string): Promise<string>;
  /** Runs a remote agent and registers it for as long as it is used. */
  withRemote(options: RemoteAgentOptions, use: (remote: RemoteAgent, id: string) => Promise<void>): Promise<void>;
}

/** Opens it in the workspace of a service that may call private URLs. */
export async function openDelegationScene(service: TestAccess): Promise<DelegationScene> {
  const api = apiOf(service, service.keys.api);
  const settings = consoleOf(service, service.keys.api);
  const agentId = (await createAgent(api, { tools: ["a2a_delegate"] })).id;
  const scene: DelegationScene = {
    service,
    api,
    settings,
    agentId,
    async register(base_url, token) {
      const { status, body, text } = await settings.post("/remote-agents", { base_url, token });
      if (status !== 201) throw new Error(text);
      return String(Object(body)["id"]);
    },
    async delegating(remoteId, message) {
      const description = callOf("a2a_delegate", { agent_id: remoteId, message });
      return (await createTask(api, { assigned_agent_id: agentId, description })).id;
    },
    async delegated(remoteId, message) {
      const id = await scene.delegating(remoteId, message);
      await eventually("the end of the task", async () => ENDS.has((await readTask(api, id)).status));
      return scene.resultOf(id);
    },
    async resultOf(taskId) {
      const events = await readToEnd(service, { agentId, taskId });
      return String(ofType(events, "TOOL_CALL_END")[0]?.["result"]);
    },
    async withRemote(options, use) {
      const remote = await startRemoteAgent(options);
      const id = await scene.register(remote.url, "s3cret");
      try {
        await use(remote, id);
      } finally {
        await settings.delete(`/remote-agents/${id}`);
        await remote.close();
      }
    },
  };
  return scene;
}
