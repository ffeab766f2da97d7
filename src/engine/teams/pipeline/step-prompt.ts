import type { TeamRun } from "../run/team-run-context.ts";
import type { Contribution, PipelineStep } from "./pipeline-step.ts";

/** What an agent is given for its part in a step; what is empty or absent is left out. */
export interface Assignment {
  /** The output of the last step that was not skipped. */
  readonly previous?: string | undefined;
  /** What the branches of this step have said, for the agent that merges it. */
  readonly branches?: readonly Contribution[];
  readonly instructions?: string | undefined;
  readonly expected?: string;
  /** What the agent should know of its part, as a sentence. */
  readonly part?: string;
}

/** Who said what. */
interface Spoken {
  readonly agent: Pick<Contribution["agent"], "name">;
  readonly answer: Pick<Contribution["answer"], "text">;
}

/** What an agent is told for its part in a step, under a heading for each thing that it is given. */
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

/** What several agents have said, each under its name. */
export function joinContributions(contributions: readonly Spoken[]): string {
  return contributions.map(({ agent, answer }) => `### ${agent.name}\n\n${answer.text}`).join("\n\n");
}

function contextOf(team: string, { index, names }: PipelineStep, part: string | undefined): string {
  const list = names.map((name, place) => `${place + 1}. ${name}${place === index ? " (this step)" : ""}`);
  const place = `This is step ${index + 1} of ${names.length} in the pipeline of the team "${team}".`;
  return [part === undefined ? place : `${place} ${part}`, list.join("\n")].join("\n\n");
}
