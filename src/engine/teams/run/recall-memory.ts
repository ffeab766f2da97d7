import { z } from "zod";
import { readMemories } from "#db/queries/teams/memory-passages.ts";
import { WORKSPACE_ONLY } from "#domain/models/billing-target.ts";
import type { BillingTarget } from "#domain/models/billing-target.ts";
import { serviceIn } from "#domain/access/role.ts";
import { MEMORY_KEY } from "#domain/tasks/run-journal.ts";
import { describeMemories, memoryLimit, questionOf, teamMemory } from "#domain/teams/team-memory.ts";
import type { TeamRunJob } from "#domain/teams/team-run.ts";
import { rankPassages } from "#operations/knowledge/rank-passages.ts";
import { embedMemories } from "./embed-memories.ts";
import type { EngineServices } from "../../run/run-context.ts";
import type { TeamRun } from "./team-run-context.ts";

/** Large enough to find other tasks after those that the team gets every day. */
const DEPTH = 500;

/**
 * The team's memory of earlier runs, for a run's agents. Recorded as a step, so that other executions and forks use the
 * same text. Undefined when the team has no memory, or none about this task.
 */
export async function recallMemory(
  engine: EngineServices,
  { job, signal, step }: Pick<TeamRun, "job" | "signal" | "step">,
): Promise<string | undefined> {
  const { workspaceId, team, inputTask } = job;
  const limit = memoryLimit(team.config);
  if (limit === undefined) return undefined;
  const tenant = serviceIn(workspaceId);
  const payer = teamBillingTarget(job);
  const asked = { question: questionOf(inputTask), payer, scopes: [team.id], depth: DEPTH, signal };
  const memories = await step(MEMORY_KEY, z.array(teamMemory), async () => {
    await embedMemories(engine, { workspaceId, teamId: team.id }, { payer, signal });
    const { ranked } = await rankPassages(engine, tenant, asked);
    const ids = ranked.map(({ id }) => id);
    return { value: await readMemories(engine.db.inWorkspace(tenant), { ids, limit }) };
  });
  return describeMemories(memories);
}

/** The run is billed for the memory, not one of its agents. */
function teamBillingTarget({ workspaceId, runId, attempt, taskId, team }: TeamRunJob): BillingTarget {
  const chargedTo = { ...WORKSPACE_ONLY, task_id: taskId, team_run_id: runId, team_id: team.id };
  return { workspaceId, runId, attempt, step: MEMORY_KEY, chargedTo };
}
