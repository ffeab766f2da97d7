import { changeAnswer } from "#domain/tasks/changed-answer.ts";
import type { AnswerChange } from "#domain/tasks/changed-answer.ts";
import { AppError } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import type { ForkCreate, GivenPart, RunFork } from "#domain/teams/run-fork.ts";
import {
  MEMORY_KEY,
  copyableRows,
  givenReply,
  rowsBeforeIteration,
  rowsOfStep,
  takeOver,
} from "#domain/tasks/run-journal.ts";
import type { JournalRow } from "#domain/tasks/run-journal.ts";
import type { TeamConfig } from "#domain/teams/team-config.ts";
import type { TeamModeName } from "#domain/teams/team-mode.ts";
import { stepNames, turnName } from "#domain/teams/step-names.ts";
import { namedAgents } from "#domain/teams/team-members.ts";
import type { Transaction } from "#db/database.ts";
import * as rows from "#db/queries/runs/fork-messages.ts";
import { readJournal } from "#db/queries/runs/forks.ts";
import type { ForkableRun } from "#db/queries/runs/forks.ts";
import { agentsAmong } from "#db/queries/agents/agents.ts";
import type { Services } from "../context.ts";
import { changedAgent, stepsGone } from "./fork-parts.ts";
import type { ForkedAttempt, SettingChanges } from "./fork-parts.ts";

/** The run to fork, and its team's current definition. */
export interface ForkSource extends Omit<ForkableRun, "status">, ForkedAttempt {
  readonly id: string;
  readonly teamId: string;
  readonly mode: TeamModeName;
  readonly config: TeamConfig;
  readonly earlier: RunFork | null;
}

/** Who speaks in a turn whose text a person has given. */
const A_PERSON = "A person";
/** The name of a step in each mode. */
const STEPS: Readonly<Record<TeamModeName, string>> = {
  pipeline: "step",
  collaboration: "turn",
  orchestrator: "iteration",
};

/**
 * Determines what a fork takes over from a run, and what it changes.
 * @throws AppError see {@link forkRun}
 */
export async function designFork(
  services: Services,
  tx: Transaction,
  source: ForkSource,
  { by, ...request }: ForkCreate & { readonly by: AnswerChange["by"] },
): Promise<RunFork> {
  const { from_step: from, changes = {} } = request;
  const { id, attempt, earlier } = source;
  checkStep(source, request);
  const { prompt } = changes;
  const given = await readGiven(tx, source, request);
  return {
    run_id: id,
    attempt,
    from_step: from,
    given,
    names: namesOf(source.config, given),
    journal: (await readTaken(tx, source, { ...request, by })).map(takeOver),
    steps: { ...earlier?.steps, ...(prompt !== undefined && { [from]: { instructions: prompt } }) },
    agents: { ...earlier?.agents, ...(await changedAgents(services, tx, source, request)) },
  };
}

/** The changes of a task's fork alone: a team's agents have their own prompts and inputs. */
const OF_TASKS = ["system_prompt", "message", "tool_results"] as const;

function checkStep({ mode, config, status, reached }: ForkSource, { from_step: from, changes }: ForkCreate): void {
  const alien = OF_TASKS.filter((field) => changes?.[field] !== undefined);
  const message = "can be changed in a fork of a task only; for a team's run, set changes.prompt";
  if (alien.length > 0)
    throw invalid(
      "body",
      alien.map((field) => ({ path: `changes.${field}`, message })),
    );
  const step = STEPS[mode];
  const last = stepsOf(config) - 1;
  if (from > last) {
    const message = `the team has no such ${step}; allowed: 0 to ${last} (in the mode ${mode}, a step is ${WHAT[mode]})`;
    throw invalid("body", [{ path: "from_step", message }]);
  }
  if (from > reached) {
    const message = `The run is ${status} and has reached ${step} ${reached}; it cannot be forked from ${step} ${from}.`;
    throw new AppError("conflict", message);
  }
}

const WHAT: Readonly<Record<TeamModeName, string>> = {
  pipeline: "a step of its config",
  collaboration: "a turn of the discussion",
  orchestrator: "a model call of the brain and its tool calls",
};

function stepsOf(config: TeamConfig): number {
  if ("steps" in config) return config.steps.length;
  return "brain_agent_id" in config ? config.max_iterations : config.max_turns;
}

/**
 * Reads the messages of the earlier steps, and adds a text that replaces the step's output. An orchestrator's run has
 * both in the journal.
 */
async function readGiven(
  tx: Transaction,
  { id, attempt, mode }: ForkSource,
  { from_step: before, changes }: ForkCreate,
): Promise<GivenPart[][]> {
  if (mode === "orchestrator") return [];
  if ((await rows.countReported(tx, { id, attempt, before }, mode)) < before) {
    const message = `The run has no ${STEPS[mode]}s before ${before}: its team had another mode then.`;
    throw new AppError("conflict", message);
  }
  const read = mode === "pipeline" ? rows.readOutputs : rows.readContributions;
  const parts = await read(tx, { id, attempt, before });
  const given = Array.from({ length: before }, (_, index): GivenPart[] => {
    return parts.filter(({ step }) => step === index).map(({ step: _step, ...part }) => part);
  });
  return typeof changes?.answer === "string" ? [...given, [{ name: "", text: changes.answer }]] : given;
}

/** Names the given steps of a pipeline, or turns of a discussion, as the run that is forked has. */
function namesOf(config: TeamConfig, given: readonly (readonly GivenPart[])[]): string[] {
  if ("steps" in config) return stepNames(config).slice(0, given.length);
  return given.map((parts, turn) =>
    turnName(turn, parts.find(({ moderates }) => moderates !== true)?.name || A_PERSON),
  );
}

/**
 * Reads the finished steps that the fork starts with. A text as the answer is the last reply of a brain; with an object,
 * the steps before the question are reused as well.
 */
async function readTaken(
  tx: Transaction,
  source: ForkSource,
  { from_step: from, changes = {}, by }: ForkCreate & { readonly by: AnswerChange["by"] },
): Promise<JournalRow[]> {
  const { mode, attempt } = source;
  const journal = copyableRows(await readJournal(tx, source));
  const before = mode === "orchestrator" ? rowsBeforeIteration(journal, from) : journal.filter(isMemory);
  if (before === undefined) {
    throw stepsGone("run", attempt);
  }
  if (mode === "orchestrator") await checkWorkers(tx, source, from);
  const { answer, question } = changes;
  if (typeof answer === "string" && mode === "orchestrator") {
    return [...before, givenReply({ turn: "brain", call: from, text: answer, by })];
  }
  if (typeof answer !== "object") return [...before];
  return [...before, ...changeAnswer(rowsOfStep(mode, journal, from), { answer, question, by })];
}

function isMemory({ key }: JournalRow): boolean {
  return key === MEMORY_KEY;
}

/** The brain's conversation mentions the agents that it delegated to. */
async function checkWorkers(tx: Transaction, { id, attempt, config }: ForkSource, before: number): Promise<void> {
  const workers = new Set(namedAgents(config).map(({ agentId }) => agentId));
  const asked = await rows.readWorkers(tx, { id, attempt, before });
  if (asked.every((agentId) => agentId !== null && workers.has(agentId))) return;
  throw new AppError(
    "conflict",
    "The brain has delegated to an agent that is no longer in the team; fork from an earlier iteration.",
  );
}

/** Replaces settings of a step's agents. */
async function changedAgents(
  { catalogue }: Services,
  tx: Transaction,
  { config, earlier }: ForkSource,
  { from_step: from, changes = {} }: ForkCreate,
): Promise<RunFork["agents"]> {
  const settings: SettingChanges = changes;
  const agents = await agentsAmong(tx, agentsOf(config, from));
  return Object.fromEntries(
    [...agents].flatMap(([id, current]) => {
      const before = earlier?.agents[id];
      const changed = changedAgent(catalogue, { ...current, ...before }, settings);
      return changed === undefined ? [] : [[id, { ...before, ...changed }]];
    }),
  );
}

/** Returns the agents that may act in a step: all of them in a discussion, the brain in an iteration. */
function agentsOf(config: TeamConfig, step: number): readonly string[] {
  if ("brain_agent_id" in config) return [config.brain_agent_id];
  const named = namedAgents(config);
  const ofStep = "steps" in config ? named.filter(({ path }) => path.startsWith(`config.steps.${step}.`)) : named;
  return ofStep.map(({ agentId }) => agentId);
}
