import type { z } from "zod";
import type { Api } from "../api.ts";
import { useScriptedService } from "../providers/scripted-agents.ts";
import type { SharedService } from "../shared-service.ts";
import { createAgent } from "../work.ts";
import { rpc, userMessage, userMessage1 } from "./a2a.ts";
import { sent1, task0 } from "./shapes.ts";
import type { task1 } from "./shapes.ts";

/** Sends a message with a text to an agent, and returns the task; other fields of the message replace the usual ones. */
type Send<Task extends z.ZodType> = (
  agent: string,
  text: string,
  fields?: object,
  configuration?: object,
) => Promise<z.output<Task>>;

/** A workspace with agents for A2A's clients. */
export interface TaskScene {
  readonly service: SharedService;
  readonly api: Api;
  /** The only published agent, of the demo model; it has the tools that wait and ask. */
  readonly agentId: string;
  /** An agent that repeats its conversation, as in `user: Hello | assistant: …`. */
  readonly echoId: string;
  /** Sends in the shapes of 0.3. */
  readonly send0: Send<typeof task0>;
  /** Sends in the shapes of 1.0. */
  readonly send1: Send<typeof task1>;
}

/** Opens the workspace in the scripted service. */
export async function openTaskScene(): Promise<TaskScene> {
  const { service, api, player } = await useScriptedService();
  const tools = ["wait", "request_approval", "request_input", "request_choice", "request_form", "request_wizard"];
  const echo = await player(({ body }, reply) => {
    const [, ...conversation] = body.messages;
    reply.say(conversation.map(({ role, content }) => `${role}: ${content}`).join(" | "));
    reply.finish();
  });
  const call = async (agent: string, method: string, params: object) => {
    const { result, error } = await rpc(service, agent, { method, params });
    if (error !== undefined) throw new Error(error.message);
    return result;
  };
  return {
    service,
    api,
    agentId: (await createAgent(api, { is_a2a_published: true, tools })).id,
    echoId: echo.id,
    send0: async (agent, text, fields = {}, configuration = {}) =>
      task0.parse(await call(agent, "message/send", { ...userMessage(text, { ...fields }), configuration })),
    send1: async (agent, text, fields = {}, configuration = {}) =>
      sent1.parse(await call(agent, "SendMessage", { ...userMessage1(text, { ...fields }), configuration })).task,
  };
}
