import type { AgentSnapshot } from "#domain/tasks/run-job.ts";
import { stepNames } from "#domain/teams/step-names.ts";
import type { TeamConfig } from "#domain/teams/team-config.ts";
import type { TurnAnswer } from "../../agent/turn-answer.ts";

/** A pipeline step and its position. */
export interface PipelineStep {
  readonly config: TeamConfig<"pipeline">["steps"][number];
  /** From 0. */
  readonly index: number;
  /** The step's name, or `Step 2`. */
  readonly name: string;
  /** The names of all steps, in order. */
  readonly names: readonly string[];
}

/** The reply of a step's agent. */
export interface Contribution {
  readonly agent: AgentSnapshot;
  readonly answer: TurnAnswer;
}

/** The output of a step. */
export interface StepOutput {
  readonly step: PipelineStep;
  readonly text: string;
  /** The agent that wrote it, or all branches of a fan-out together. */
  readonly by: readonly Contribution[];
}

/** One attempt of a step and its context. */
export interface StepAttempt {
  readonly step: PipelineStep;
  /** The prefix of the keys of its turns and messages; unique to this attempt. */
  readonly key: string;
  /** The output of the last step that was not skipped. */
  readonly previous: string | undefined;
}

/** The steps of a config with their positions. */
export function pipelineSteps(pipeline: TeamConfig<"pipeline">): readonly PipelineStep[] {
  const names = stepNames(pipeline);
  return pipeline.steps.map((config, index) => ({ config, index, name: names[index] ?? "", names }));
}
