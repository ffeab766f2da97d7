import { apiOf } from "./api.ts";
import { eventually } from "./eventually.ts";
import { createAgent, createTask, readTask } from "./work.ts";
import type { TaskFields } from "./work.ts";

const ENDED = new Set(["completed", "failed", "cancelled"]);

/** The part of a service that these calls need. */
export interface ApiService {
  readonly url: string;
  readonly keys: { readonly api: string };
}

/** Creates an agent on OpenAI, with these fields instead of the defaults; returns its id. */
export async function openAiAgent(
  service: ApiService,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  return (await createAgent(ownApi(service), { model: "gpt-4o", ...fields })).id;
}

/** Creates a task of an agent, which begins to run; returns its id. */
export async function startTask(
  service: ApiService,
  agentId: string,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  return (await createTask(ownApi(service), { assigned_agent_id: agentId, ...fields })).id;
}

/** Sets a task's status: `cancelled`, or `dispatched` for a new attempt. @throws Error when that is rejected. */
export async function setStatus(service: ApiService, id: string, status: string): Promise<void> {
  const answer = await ownApi(service).patch(`/api-tasks?id=${id}`, { status });
  if (answer.status !== 200) throw new Error(`Setting ${status} was answered with ${answer.status}: ${answer.text}`);
}

/** Reads a task. */
export function taskNow(service: ApiService, id: string): Promise<TaskFields> {
  return readTask(ownApi(service), id);
}

/** Waits until a task has completed, failed or been cancelled. */
export function taskEnd(service: ApiService, id: string): Promise<TaskFields> {
  return eventually(`the end of task ${id}`, async () => {
    const task = await taskNow(service, id);
    return ENDED.has(task.status) && task;
  });
}

function ownApi(service: ApiService) {
  return apiOf(service, service.keys.api);
}
