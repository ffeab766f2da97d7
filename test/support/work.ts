import { z } from "zod";
import type { Answer, Api } from "./api.ts";
import { eventually } from "./eventually.ts";

const agent = z.looseObject({ id: z.uuid(), status: z.string(), updated_at: z.string(), created_at: z.string() });
const task = z.looseObject({
  id: z.uuid(),
  status: z.string(),
  result: z.string().nullable(),
  error: z.string().nullable(),
  attempt: z.int(),
  metadata: z.record(z.string(), z.unknown()),
  usage: z.record(z.string(), z.number()),
  completed_at: z.string().nullable(),
});

/** An agent, with the fields that tests read. */
export type AgentFields = z.output<typeof agent>;
/** A task, with the fields that tests read. */
export type TaskFields = z.output<typeof task>;

/** The directive with which a task of the demo model runs until it is stopped: it waits for a minute. */
export const ENDLESS = '[[tool:wait {"seconds":60}]]';
/** The directive with which a task of the demo model ends immediately. */
export const QUICK = "[[slow:0]][[say:done]]";
/** The directive with which a task of the demo model fails immediately. */
export const FAILING = "[[fail:boom]]";

/** Creates an agent of the demo model that has every tool, with these fields instead of the defaults. */
export async function createAgent(api: Api, fields: Readonly<Record<string, unknown>> = {}): Promise<AgentFields> {
  const body = { name: "Worker", model: "demo", tools: ["wait", "current_time"], ...fields };
  return agent.parse(bodyOf(await api.post("/api-agents", body)));
}

/** Creates a task with these fields instead of the defaults. */
export async function createTask(api: Api, fields: Readonly<Record<string, unknown>> = {}): Promise<TaskFields> {
  return task.parse(bodyOf(await api.post("/api-tasks", { title: "Work", ...fields })));
}

/** Reads an agent. */
export async function readAgent(api: Api, id: string): Promise<AgentFields> {
  return agent.parse(bodyOf(await api.get(`/api-agents?id=${id}`)));
}

/** Reads a task. */
export async function readTask(api: Api, id: string): Promise<TaskFields> {
  return task.parse(bodyOf(await api.get(`/api-tasks?id=${id}`)));
}

/** Waits until a task is in a state, and returns it. */
export function taskIn(api: Api, id: string, status: string): Promise<TaskFields> {
  return eventually(`task ${id} is ${status}`, async () => {
    const now = await readTask(api, id);
    return now.status === status && now;
  });
}

/** Creates a task and waits until it is in a state. */
export async function taskInState(
  api: Api,
  to: { readonly status: string; readonly agentId: string; readonly description: string },
): Promise<TaskFields> {
  const { id } = await createTask(api, { assigned_agent_id: to.agentId, description: to.description });
  return taskIn(api, id, to.status);
}

/** Cancels a task that a test leaves running. */
export async function stopTask(api: Api, id: string): Promise<void> {
  await api.patch(`/api-tasks?id=${id}`, { status: "cancelled" });
}

function bodyOf({ status, text, body }: Answer): unknown {
  if (status === 200 || status === 201) return body;
  throw new Error(`A request that had to succeed was answered with ${status}: ${text}`);
}
