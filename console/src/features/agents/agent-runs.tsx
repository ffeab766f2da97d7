import { NewTaskButton } from "../tasks/new-task-button.tsx";
import { RunList } from "../runs/run-list.tsx";
import type { Agent } from "./records.ts";
import { WeekStats } from "./week-stats.tsx";

/** The work of an agent, newest first, below what its last 7 days came to. */
export default function AgentRuns({ agent }: { readonly agent: Agent }) {
  return (
    <>
      <WeekStats agentId={agent.id} />
      <RunList
        search={{ agent: [agent.id] }}
        empty="What this agent is given to do is listed here."
        action={<NewTaskButton />}
      />
    </>
  );
}
