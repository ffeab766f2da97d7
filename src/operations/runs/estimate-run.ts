import { notFound } from "#domain/errors.ts";
import { MAX_SAMPLES, MIN_VERSION_SAMPLES, estimateFrom, outlookFrom } from "#domain/runs/estimate.ts";
import type { Cap, RunEstimate, RunOutlook, Sample } from "#domain/runs/estimate.ts";
import type { TaskCreate } from "#domain/tasks/task.ts";
import type { Queries } from "#db/database.ts";
import { readComparable, readCurrentVersion, readSpending } from "#db/queries/runs/comparable-runs.ts";
import type { Performer, RunSpending } from "#db/queries/runs/comparable-runs.ts";
import { hasTarget } from "#db/queries/budgets/budgets.ts";
import type { Workspace } from "../workspace.ts";

/** Whose runs an estimate is made from; neither: all runs of the workspace. */
export interface Asked {
  readonly agentId?: string | null | undefined;
  readonly teamId?: string | null | undefined;
}

/** Estimates a run of an agent, a team or of any of the workspace. @throws AppError `not_found` for the agent or team. */
export function estimateRun(workspace: Workspace, asked: Asked, cap?: Cap): Promise<RunEstimate> {
  const performer = performerOf(asked) ?? { kind: "workspace", id: workspace.who.workspaceId };
  return workspace.transaction(async (tx) => {
    if (performer.kind === "team" && !(await hasTarget(tx, "team", performer.id))) throw notFound("Team");
    const comparable = await comparableOf(tx, performer);
    if (comparable === undefined) throw notFound("Agent");
    return estimateFrom(comparable, cap);
  });
}

/**
 * Estimates a task without creating it: from the runs of its agent or team, else from all of the workspace. Its cap
 * counts as the run's. @throws AppError `not_found` for the agent or team.
 */
export function estimateTask(workspace: Workspace, task: TaskCreate): Promise<RunEstimate> {
  const { assigned_agent_id: agentId, assigned_team_id: teamId, budget } = task;
  return estimateRun(workspace, { agentId, teamId }, budget ?? undefined);
}

/** Estimates what a run will still cost, and what another attempt will. @throws AppError `not_found`. */
export function readOutlook(workspace: Workspace, id: string): Promise<RunOutlook> {
  return workspace.transaction(async (tx) => {
    const outlook = await outlookOf(tx, id);
    if (outlook === undefined) throw notFound("Run");
    return outlook;
  });
}

/** The same within a transaction or an execution; undefined when there is no such run. */
export async function outlookOf(db: Queries, id: string): Promise<RunOutlook | undefined> {
  const run = await readSpending(db, id);
  return run && outlookFrom(await samplesFor(db, run), run.spent);
}

/** A run that nobody performs yet, or whose agent was deleted, has no comparable ones. */
async function samplesFor(db: Queries, run: RunSpending): Promise<readonly Sample[]> {
  const performer = performerOf(run);
  const comparable = performer && (await comparableOf(db, performer));
  return comparable?.samples ?? [];
}

function performerOf({ agentId, teamId }: Asked): Performer | undefined {
  if (agentId != null) return { kind: "agent", id: agentId };
  return teamId == null ? undefined : { kind: "team", id: teamId };
}

/** The runs of an agent's current version, if there are enough, else of all its versions; undefined without the agent. */
async function comparableOf(db: Queries, performer: Performer) {
  if (performer.kind === "agent") {
    const version = await readCurrentVersion(db, performer.id);
    if (version === undefined) return undefined;
    const samples = await readComparable(db, performer, { version, limit: MAX_SAMPLES });
    if (samples.length >= MIN_VERSION_SAMPLES) return { samples, version };
  }
  return { samples: await readComparable(db, performer, { version: null, limit: MAX_SAMPLES }), version: null };
}
