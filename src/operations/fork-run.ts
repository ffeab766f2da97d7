import { AppError, notFound } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import type { Principal } from "#domain/principal.ts";
import { runFork } from "#domain/run-fork.ts";
import type { ForkCreate, RunFork } from "#domain/run-fork.ts";
import { TEAM_CONFIGS } from "#domain/team-config.ts";
import type { TeamConfig } from "#domain/team-config.ts";
import type { Transaction } from "#db/database.ts";
import { readRecordIn } from "#db/queries/records.ts";
import { copyMessages, markFork, readAgentProviders, readForkable, readOutputs } from "#db/queries/run-forks.ts";
import type { ForkableRun } from "#db/queries/run-forks.ts";
import { enqueueTeamRun, insertTeamRun } from "#db/queries/team-runs.ts";
import { newId } from "#lib/ids.ts";
import type { JsonText } from "#lib/json-text.ts";
import { settle } from "#lib/settle.ts";
import type { Services } from "./context.ts";
import { keptProvider, resolveProvider } from "./resolve-provider.ts";

type Step = TeamConfig<"pipeline">["steps"][number];

/** A run of a pipeline, its id, and the steps that its team has now. */
interface Source extends ForkableRun {
  readonly id: string;
  readonly teamId: string;
  readonly steps: readonly Step[];
  /** The step to which the run has come: everything before it is over. */
  readonly reached: number;
  readonly earlier: RunFork | null;
}

/**
 * Starts a run of the same team on the same work that begins at a step to which another run has come and takes
 * what was before it from there: nothing of that is done or paid again. Team and agents are as they are now, with
 * the changes of the other run, if that is a fork itself, and then the given ones.
 * @throws AppError `not_found`; `bad_request` for a step or model that is not there, and for other modes than
 * pipelines; `conflict` when the run has not come to the step, or its team is gone or a draft.
 */
export function forkRun(services: Services, who: Principal, id: string, request: ForkCreate): Promise<JsonText> {
  return begin(services, who, id, () => request);
}

/**
 * Forks a run that has failed or was cancelled from the step at which that happened, without changes.
 * @throws AppError `conflict` naming the state for other runs; else as {@link forkRun}.
 */
export function retryRun(services: Services, who: Principal, id: string): Promise<JsonText> {
  return begin(services, who, id, ({ status, reached }) => {
    if (status === "failed" || status === "cancelled") return { from_step: reached };
    throw new AppError("conflict", `Only a run that is failed or cancelled can be tried again; this one is ${status}.`);
  });
}

async function begin(
  services: Services,
  who: Principal,
  sourceId: string,
  request: (source: Source) => ForkCreate,
): Promise<JsonText> {
  const { workspaceId, userId: createdBy } = who;
  const record = await services.db.inWorkspace(who, async (tx) => {
    const source = await readSource(tx, sourceId);
    const fork = await designFork(services, tx, source, request(source));
    const { teamId, inputTask } = source;
    const id = newId();
    const [, , , isEnqueued, created] = await settle([
      insertTeamRun(tx, { id, workspaceId, teamId, taskId: null, attempt: 1, inputTask, createdBy }),
      markFork(tx, id, fork),
      copyMessages(tx, id, source),
      enqueueTeamRun(tx, id),
      readRecordIn(tx, "run", id),
    ]);
    if (!isEnqueued) throw teamGone();
    return created;
  });
  services.queue.wake(workspaceId, "runs");
  if (record === undefined) throw notFound("Run");
  return record;
}

async function readSource(tx: Transaction, id: string): Promise<Source> {
  const run = await readForkable(tx, id);
  if (run === undefined) throw notFound("Run");
  const { teamId, mode, config, currentStep } = run;
  if (teamId === null) throw teamGone();
  if (mode !== "pipeline") {
    const message = `Only runs of pipelines have steps from which they can be forked; this team's mode is ${mode}.`;
    throw new AppError("bad_request", message);
  }
  const parsed = TEAM_CONFIGS.pipeline.safeParse(config);
  if (!parsed.success) throw new AppError("conflict", "The run's team is a draft that cannot run yet.");
  const earlier = run.fork === null ? null : runFork.parse(run.fork);
  return { ...run, id, teamId, steps: parsed.data.steps, earlier, reached: currentStep ?? earlier?.from_step ?? 0 };
}

async function designFork(
  services: Services,
  tx: Transaction,
  source: Source,
  { from_step: from, changes = {} }: ForkCreate,
): Promise<RunFork> {
  const { id, attempt, status, steps, reached, earlier } = source;
  const step = steps[from];
  if (step === undefined) {
    const message = `the team has no such step; allowed: 0 to ${steps.length - 1}`;
    throw invalid("body", [{ path: "from_step", message }]);
  }
  if (from > reached) {
    const message = `The run is ${status} and has come to step ${reached}; it cannot be forked from step ${from}.`;
    throw new AppError("conflict", message);
  }
  const parts = await readOutputs(tx, { id, attempt, before: from });
  const { prompt, model, answer } = changes;
  const given = steps.slice(0, from).map((_, index) => {
    return parts.filter((part) => part.step === index).map(({ name, text }) => ({ name, text }));
  });
  return {
    run_id: id,
    from_step: from,
    given: answer === undefined ? given : [...given, [{ name: "", text: answer }]],
    steps: { ...earlier?.steps, ...(prompt !== undefined && { [from]: { instructions: prompt } }) },
    agents: { ...earlier?.agents, ...(model !== undefined && (await withModel(services, tx, step, model))) },
  };
}

/** The agents of a step with another model. One on an endpoint of the workspace's own stays there. */
async function withModel(
  { providerIds }: Services,
  tx: Transaction,
  { agent_id, parallel_agents = [], merge_agent_id }: Step,
  model: string,
): Promise<RunFork["agents"]> {
  const ids = [agent_id, ...parallel_agents, merge_agent_id].filter((agentId) => agentId != null);
  const agents = await readAgentProviders(tx, ids);
  return Object.fromEntries(
    agents.map(({ id, provider }) => {
      const served = resolveProvider(providerIds, { model, provider: keptProvider(provider) });
      return [id, { model, provider: served, version: null }];
    }),
  );
}

function teamGone(): AppError {
  return new AppError("conflict", "A run whose team was deleted cannot be forked.");
}
