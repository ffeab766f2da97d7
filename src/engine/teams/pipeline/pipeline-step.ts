import type { AgentSnapshot } from "#domain/tasks/run-job.ts";
import type { TeamConfig } from "#domain/teams/team-config.ts";
import type { TurnAnswer } from "../run/team-run-context.ts";

/** A step of a pipeline and its place in it. */
export interface PipelineStep {
  readonly config: TeamConfig<"pipeline">["steps"][number];
  /** From 0. */
  readonly index: number;
  /** What the step is called: its own name, or `Step 2`. */
  readonly name: string;
  /** The names of all steps, in order. */
  readonly names: readonly string[];
}

/** What an agent of a step has said. */
export interface Contribution {
  readonly agent: AgentSnapshot;
  readonly answer: TurnAnswer;
}

/** What a step has come to. */
export interface StepOutput {
  readonly step: PipelineStep;
  readonly text: string;
  /** Whose words these are: one agent's, or those of all branches that were put together. */
  readonly by: readonly Contribution[];
}

/** One of the attempts at a step, and what it works with. */
export interface StepAttempt {
  readonly step: PipelineStep;
  /** What the keys of its turns and messages begin with; of no other attempt. */
  readonly key: string;
  /** The output of the last step that was not skipped. */
  readonly previous: string | undefined;
}

/** The steps of a config with their places. */
export function pipelineSteps({ steps }: TeamConfig<"pipeline">): readonly PipelineStep[] {
  const names = steps.map(({ step_name }, index) => step_name.trim() || `Step ${index + 1}`);
  return steps.map((config, index) => ({ config, index, name: names[index] ?? "", names }));
}
