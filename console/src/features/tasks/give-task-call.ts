import type { ApiCall } from "../api-drawer/calls.ts";

/** The request that gives an agent a task; without an agent of this workspace it has a placeholder. */
export function giveTaskCall(agentId = "<agent id>"): ApiCall {
  return {
    title: "Give a task",
    method: "POST",
    path: "/functions/v1/api-tasks",
    body: { title: "Say hello", assigned_agent_id: agentId },
    command: `tasks create --agent "${agentId}" --title "Say hello" --watch`,
  };
}
