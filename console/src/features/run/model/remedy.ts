/** What helps against a failure of a kind. */
export interface Remedy {
  /** What happened and what to do, in a sentence. */
  readonly advice: string;
  /** Whether continuing from the failed step may succeed. */
  readonly retry: boolean;
  /** Whether something has to be changed: a fork with another model or prompt. */
  readonly fork: boolean;
  /** Where the cause is seen, or removed: a filter of the steps, a part of the record, or another screen. */
  readonly show?: "slowest" | "last" | "question" | "executions" | "budgets" | "models" | "files" | "team" | "log";
}

const REMEDIES: Readonly<Record<string, Remedy>> = {
  PROVIDER_NOT_CONFIGURED: {
    advice: "Add a key of the model's provider, then retry.",
    retry: true,
    fork: true,
    show: "models",
  },
  MODEL_ERROR: { advice: "Retry from the step, or fork with another model.", retry: true, fork: true },
  BUDGET_EXCEEDED: {
    advice: "Raise the budget, then retry from the step.",
    retry: true,
    fork: false,
    show: "budgets",
  },
  STEP_LIMIT: {
    advice: "See what the last calls did, then fork with another prompt.",
    retry: false,
    fork: true,
    show: "last",
  },
  TOOL_LOOP: {
    advice: "See the last calls, then fork with another prompt.",
    retry: false,
    fork: true,
    show: "last",
  },
  INTERACTION_TIMEOUT: { advice: "Retry to ask again.", retry: true, fork: false, show: "question" },
  HANDOFF_REFUSED: { advice: "Retry to ask again.", retry: true, fork: true, show: "question" },
  RUN_TIMEOUT: { advice: "See which steps took longest.", retry: true, fork: true, show: "slowest" },
  TASK_TIMEOUT: { advice: "See which steps took longest.", retry: true, fork: true, show: "slowest" },
  CRASH_LOOP: {
    advice: "Processes died at the same step. See the executions.",
    retry: true,
    fork: true,
    show: "executions",
  },
  FILE_UNAVAILABLE: {
    advice: "A file that it needs was deleted. Create the task again with the file.",
    retry: false,
    fork: false,
    show: "files",
  },
  TEAM_NOT_RUNNABLE: { advice: "Complete the team, then run it again.", retry: false, fork: false, show: "team" },
  INTERNAL_ERROR: {
    advice: "Something in the service went wrong. The server log has more under the id of the run.",
    retry: true,
    fork: false,
    show: "log",
  },
};
const OTHER: Remedy = { advice: "Retry from the step at which it ended.", retry: true, fork: true };

/** What helps a run that ended with this code. */
export function remedyOf(code: string | null): Remedy {
  return (code === null ? undefined : REMEDIES[code]) ?? OTHER;
}
