import { shellQuoted } from "../../lib/shell-quoted.ts";
import type { ApiCall } from "../../lib/api-calls.ts";

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

/** The request that gives an agent a task once more. */
export function giveSameTaskCall(
  agentId: string,
  { title, description }: { readonly title: string; readonly description: string },
): ApiCall {
  const options = [`--agent ${agentId}`, `--title ${shellQuoted(title)}`];
  if (description !== "") options.push(`--description ${shellQuoted(description)}`);
  return {
    title: "Give this task again",
    method: "POST",
    path: "/functions/v1/api-tasks",
    body: { title, description, assigned_agent_id: agentId },
    command: `tasks create ${options.join(" ")} --watch`,
  };
}
