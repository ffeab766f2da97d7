/** Every kind of work; each asks for another way of the engine. */
export const JOB_KINDS = [
  "talks",
  "tools",
  "asks",
  "guarded",
  "refused",
  "pipeline",
  "handoffs",
  "orchestra",
  "discussion",
] as const;

/** The work of a model that says as much as is read; only a fault orders it. */
const FLOOD = "flood";

/** One of {@link JOB_KINDS}, or a flood. */
export type JobKind = (typeof JOB_KINDS)[number] | typeof FLOOD;

/** The title of a job, by which the provider knows what it is about. */
export function titleOf(number: number, kind: JobKind): string {
  return `job ${number}: ${kind}`;
}

/** The kind of the job of a title. @throws Error when it is no job's. */
export function kindOf(title: string): JobKind {
  const kind = ([...JOB_KINDS, FLOOD] as const).find((each) => title.endsWith(`: ${each}`));
  if (kind === undefined) throw new Error(`"${title}" is no job's title.`);
  return kind;
}
