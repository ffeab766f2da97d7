import { z } from "zod";
import { recallTeamRuns } from "#db/queries/team-memories.ts";
import { retryOutage } from "#db/retry-outage.ts";
import { MEMORY_KEY } from "#domain/run-journal.ts";
import { describeMemories, memoryLimit, teamMemory } from "#domain/team-memory.ts";
import type { EngineServices } from "./run-context.ts";
import type { TeamRun } from "./team-run-context.ts";

/**
 * What a run's agents are told of earlier runs of their team. It is recorded as a step: another execution tells the
 * very same, and so does a fork. Undefined when the team does not remember, or nothing like this task.
 */
export async function recallMemory(
  engine: EngineServices,
  { job: { team, inputTask }, step }: Pick<TeamRun, "job" | "step">,
): Promise<string | undefined> {
  const limit = memoryLimit(team.config);
  if (limit === undefined) return undefined;
  const memories = await step(MEMORY_KEY, z.array(teamMemory), async () => {
    const value = await retryOutage(() => recallTeamRuns(engine.db, { teamId: team.id, task: inputTask, limit }));
    return { value };
  });
  return describeMemories(memories);
}
