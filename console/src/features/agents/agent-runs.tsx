import { NewTaskButton } from "../tasks/new-task-button.tsx";
import { RunList } from "../runs/run-list.tsx";
import type { Agent } from "./records.ts";

/** The work of an agent, newest first. */
export function AgentRuns({ agent }: { readonly agent: Agent }) {
  return (
    <RunList
      search={{ agent: [agent.id] }}
      empty="What this agent is given to do is listed here."
      action={<NewTaskButton />}
    />
  );
}
