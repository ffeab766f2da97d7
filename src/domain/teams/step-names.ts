import type { TeamConfig } from "./team-config.ts";

/** The names of a pipeline's steps, in order; a step without one is `Step 2`. */
export function stepNames({ steps }: TeamConfig<"pipeline">): readonly string[] {
  return steps.map(({ step_name: name }, index) => name.trim() || `Step ${index + 1}`);
}

/** The name of a turn of a discussion. @param turn from 0 */
export function turnName(turn: number, speaker: string): string {
  return `Turn ${turn + 1}: ${speaker}`;
}
