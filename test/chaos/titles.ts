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

/** One of {@link JOB_KINDS}. */
export type JobKind = (typeof JOB_KINDS)[number];

/** The title of a job, by which the provider knows what it is about. */
export function titleOf(number: number, kind: JobKind): string {
  return `job ${number}: ${kind}`;
}

/** The kind of the job of a title. @throws Error when it is no job's. */
export function kindOf(title: string): JobKind {
  const kind = JOB_KINDS.find((each) => title.endsWith(`: ${each}`));
  if (kind === undefined) throw new Error(`"${title}" is no job's title.`);
  return kind;
}
