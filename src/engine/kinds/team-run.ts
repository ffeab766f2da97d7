import { putDelegation } from "#db/queries/teams/delegations.ts";
import { addTeamMessage, noteStep } from "#db/queries/teams/running-teams.ts";
import { storableText } from "#domain/storable.ts";
import { readTeamConfig, whyDraft } from "#domain/teams/team.ts";
import type { AttachedFile } from "#domain/files/attachments.ts";
import type { TeamConfig } from "#domain/teams/team-config.ts";
import { namedAgents } from "#domain/teams/team-members.ts";
import type { TeamRunJob } from "#domain/teams/team-run.ts";
import { newId } from "#lib/ids.ts";
import { startTimeLimit } from "#lib/async/time-limit.ts";
import type { TimeLimit } from "#lib/async/time-limit.ts";
import { HeldError, OwnershipLostError } from "../queue/ownership.ts";
import { defineJobKind } from "./define-job-kind.ts";
import { openExecution } from "../run/execution.ts";
import type { Execution } from "../run/execution.ts";
import type { OwnedJob } from "../queue/lease.ts";
import { Paused } from "../run/paused.ts";
import { pauseRun } from "../run/pause-run.ts";
import type { EngineServices } from "../run/run-context.ts";
import { warnOfFailure } from "../run/warn-of-failure.ts";
import type { EventBus } from "#operations/ports.ts";
import { RunFailure, asRunFailure } from "../run/run-failure.ts";
import { loadAttachments } from "../agent/load-attachments.ts";
import { recallMemory } from "../teams/run/recall-memory.ts";
import { takeTurn } from "../teams/run/take-turn.ts";
import { beginTeamRun, endTeamRun } from "../teams/run/team-run-ends.ts";
import type { TeamOutcome } from "../teams/run/team-run-ends.ts";
import type { TeamRun } from "../teams/run/team-run-context.ts";
import { TEAM_MODES } from "../teams/gen/registry.ts";

/**
 * A team run's attempt: starts the run, runs the team's mode and records the end. An execution that asks a person ends
 * with the question; after the answer the job can be claimed again.
 */
export default defineJobKind<TeamRunJob>({
  name: "team_run",
  async run(engine, { job: key, bus, signal }) {
    const { input: job } = key;
    const started = await beginTeamRun(engine, bus, { job, key });
    if (started === undefined) return engine.discard(key);
    const limit = startTimeLimit(engine.limits.teamRunTimeoutMs - started.age_ms, signal);
    try {
      const isFresh = started.fresh && job.hasJournal !== true;
      const execution = await openExecution(engine, key, { isFresh });
      const run = openRun(engine, { job, signal: limit.signal, key, execution });
      const outcome = await execute(engine, run, { ...execution, limit });
      if (outcome instanceof Paused) {
        const { question, answerKey, toolCallId } = outcome;
        await pauseRun(engine, bus, { key, taskId: job.taskId, question, answerKey, toolCallId });
      } else await end(engine, bus, { job, key, outcome, usage: execution.usage });
    } finally {
      limit.clear();
    }
  },
});

async function end(engine: EngineServices, bus: EventBus, ended: Parameters<typeof endTeamRun>[2]): Promise<void> {
  const { job, outcome } = ended;
  await endTeamRun(engine, bus, ended);
  if ("output" in outcome) return;
  const { code, message: reason } = outcome.failure;
  warnOfFailure(engine, { ...job, runId: job.taskId ?? job.runId, code, reason });
}

interface Bounds extends Pick<Execution, "beginEnd" | "stored"> {
  readonly limit: TimeLimit;
}

async function execute(
  engine: EngineServices,
  run: RunWithoutMemory,
  { limit, beginEnd, stored }: Bounds,
): Promise<TeamOutcome | Paused> {
  const { job } = run;
  try {
    const config = runnableConfig(job);
    const mode = TEAM_MODES.find(({ name }) => name === job.team.mode);
    if (mode === undefined) throw notRunnable(`Teams of the mode ${job.team.mode} cannot run in this version.`);
    const memory = await recallMemory(engine, run);
    const { output, finish } = await mode.run(engine, { ...run, memory }, config);
    await beginEnd();
    return { output: storableText(output), finish };
  } catch (error) {
    const timedOut = limit.isOver();
    if (error instanceof HeldError) await stored();
    if (error instanceof OwnershipLostError || (run.signal.aborted && !timedOut)) throw error;
    if (timedOut) return { failure: runTimeout(engine) };
    if (error instanceof Paused) return error;
    return { failure: asRunFailure(error, engine.log, { teamRunId: job.runId }) };
  }
}

function runTimeout({ limits }: EngineServices): RunFailure {
  return new RunFailure("RUN_TIMEOUT", `The run took longer than ${limits.teamRunTimeoutMs / 1_000} s.`);
}

function runnableConfig({ team, agents }: TeamRunJob): TeamConfig {
  const reason = whyDraft(team);
  if (reason !== undefined) throw notRunnable(reason);
  const config = readTeamConfig(team);
  const deleted = namedAgents(config).filter(({ agentId }) => !agents.some(({ id }) => id === agentId));
  if (deleted.length === 0) return config;
  const paths = deleted.map(({ path }) => path).join(", ");
  throw notRunnable(`The team names agents that were deleted (${paths}). Change its config first.`);
}

function notRunnable(message: string): RunFailure {
  return new RunFailure("TEAM_NOT_RUNNABLE", message);
}

/** Arguments of {@link openRun}. */
interface RunParts extends Pick<TeamRun, "job" | "signal"> {
  readonly key: OwnedJob;
  readonly execution: Execution;
}

/** A run before the team's memory is read. */
type RunWithoutMemory = Omit<TeamRun, "memory">;

function openRun(engine: EngineServices, { job, signal, key, execution }: RunParts): RunWithoutMemory {
  async function whileOwned(write: () => Promise<boolean>): Promise<void> {
    if (!(await write())) throw new OwnershipLostError(`Team run ${key.subjectId} has another owner.`);
  }

  // Read at the first turn: a run may end without any.
  let files: Promise<AttachedFile[]> | undefined;
  const { workspaceId } = job;
  const owner = job.taskId === null ? { runId: job.runId, workspaceId } : { taskId: job.taskId, workspaceId };
  const filesOf = () => (files ??= loadAttachments(engine, owner, signal));

  return {
    job,
    signal,
    step: execution.step,
    recall: execution.recall,
    agent(id) {
      const agent = job.agents.find((known) => known.id === id);
      if (agent === undefined) throw notRunnable(`The team has no agent ${id}.`);
      return agent;
    },
    turn: async (request) => takeTurn(engine, { job, key, signal, execution, files: await filesOf() }, request),
    ask(name, question) {
      const answerKey = `ask:${name}`;
      const answer = execution.answerTo(answerKey);
      if (answer === undefined) throw new Paused({ question, answerKey, toolCallId: answerKey });
      return answer;
    },
    recordMessage: (message, messageKey) =>
      whileOwned(() => addTeamMessage(engine.db, key, { ...message, id: newId(), key: messageKey })),
    recordDelegation: (delegation) => whileOwned(() => putDelegation(engine.db, key, { ...delegation, id: newId() })),
    atStep: (index) => whileOwned(() => noteStep(engine.db, key, index)),
  };
}
