import type { TeamRun } from "../run/team-run-context.ts";
import type { Contribution, PipelineStep } from "./pipeline-step.ts";

/** The input of an agent in a step; empty parts are omitted. */
export interface Assignment {
  /** The output of the last step that was not skipped. */
  readonly previous?: string | undefined;
  /** The replies of this step's branches, for the agent that merges them. */
  readonly branches?: readonly Contribution[];
  readonly instructions?: string | undefined;
  readonly expected?: string;
  /** A sentence about the agent's role in the step. */
  readonly part?: string;
}

/** A reply and the name of its author. */
interface Spoken {
  readonly agent: Pick<Contribution["agent"], "name">;
  readonly answer: Pick<Contribution["answer"], "text">;
}

/** The prompt of an agent in a step, with a heading for each part of the input. */
export function stepPrompt({ job, memory }: TeamRun, step: PipelineStep, assignment: Assignment): string {
  const sections = [
    ["Task", job.inputTask],
    ["Team Memory", memory],
    ["Previous Step Output", assignment.previous],
    ["Fan-Out Results", joinContributions(assignment.branches ?? [])],
    ["Your Instructions", assignment.instructions],
    ["Expected Output Format", assignment.expected],
    ["Pipeline Context", contextOf(job.team.name, step, assignment.part)],
  ] as const;
  return sections
    .filter(([, text]) => text !== undefined && text.trim() !== "")
    .map(([heading, text]) => `## ${heading}\n\n${text}`)
    .join("\n\n");
}

/** The replies of several agents, each under its name. */
export function joinContributions(contributions: readonly Spoken[]): string {
  return contributions.map(({ agent, answer }) => `### ${agent.name}\n\n${answer.text}`).join("\n\n");
}

function contextOf(team: string, { index, names }: PipelineStep, part: string | undefined): string {
  const list = names.map((name, place) => `${place + 1}. ${name}${place === index ? " (this step)" : ""}`);
  const place = `This is step ${index + 1} of ${names.length} in the pipeline of the team "${team}".`;
  return [part === undefined ? place : `${place} ${part}`, list.join("\n")].join("\n\n");
}
