/**
 * How an execution of a run ended: with the run (`finished`), with a question to a person, with the shutdown of its
 * process, which handed it over, or with the death of its process.
 */
export const EXECUTION_OUTCOMES = ["finished", "waiting", "handed_over", "lost"] as const;

/** One of {@link EXECUTION_OUTCOMES}. */
export type ExecutionOutcome = (typeof EXECUTION_OUTCOMES)[number];
