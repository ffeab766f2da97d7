import { z } from "zod";

const TASK_SHOWN = 300;
const OUTCOME_SHOWN = 2_000;

/** The memory setting in a team's config. */
export const memorySetting = z
  .strictObject({
    enabled: z.boolean().default(false).describe("Whether runs are stored as memories and receive earlier ones."),
    limit: z.int().min(1).max(10).default(3).describe("The maximum number of memories that a run receives."),
  })
  .describe("The team's memory of its runs.");

/** The outcome of an earlier run. */
export const teamMemory = z.object({
  task: z.string(),
  status: z.enum(["completed", "failed"]),
  outcome: z.string(),
  /** ISO 8601. */
  at: z.string(),
});

/** See {@link teamMemory}. */
export type TeamMemory = z.output<typeof teamMemory>;

const remembering = z.looseObject({ memory: memorySetting });

/** Returns how many earlier runs a run of this team receives; undefined without memory. */
export function memoryLimit(config: unknown): number | undefined {
  const { data } = remembering.safeParse(config);
  return data?.memory.enabled === true ? data.memory.limit : undefined;
}

/** Returns the query for memories: a task without the labels that are in all of them. */
export function questionOf(task: string): string {
  return task.replaceAll(/^Task (?:Title|Description):/gm, "");
}

/** Returns the section of a prompt about earlier runs; undefined when there are none. */
export function describeMemories(memories: readonly TeamMemory[]): string | undefined {
  if (memories.length === 0) return undefined;
  return [
    "The outcomes of earlier runs of this team on similar tasks. Use what helps; the current task has priority.",
    ...memories.map(describe),
  ].join("\n\n");
}

function describe({ task, status, outcome, at }: TeamMemory): string {
  const [day = ""] = at.split("T", 1);
  const title = cut(task.trim().replaceAll(/\s+/g, " "), TASK_SHOWN);
  return `### ${title} (${status}, ${day})\n\n${cut(outcome.trim(), OUTCOME_SHOWN)}`;
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length).toWellFormed()} …` : text;
}
