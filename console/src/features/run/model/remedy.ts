/** What helps against a failure of a kind. */
export interface Remedy {
  /** What happened and what to do, in a sentence. */
  readonly advice: string;
  /** Whether continuing from the failed step may succeed. */
  readonly retry: boolean;
  /** Whether something has to be changed: a fork with another model or prompt. */
  readonly fork: boolean;
  /** Where the cause is seen, or removed: a filter of the steps, a part of the record, or another screen. */
  readonly show?:
    | "slowest"
    | "last"
    | "question"
    | "expired"
    | "executions"
    | "budgets"
    | "key"
    | "providers"
    | "files"
    | "team"
    | "log";
}

const REMEDIES: Readonly<Record<string, Remedy>> = {
  PROVIDER_NOT_CONFIGURED: {
    advice: "Add a key of the model's provider, then retry.",
    retry: true,
    fork: true,
    show: "key",
  },
  MODEL_ERROR: {
    advice: "Retry from the step, or fork with another model. If the provider rejected the key, replace the key first.",
    retry: true,
    fork: true,
    show: "providers",
  },
  MODEL_REFUSED: {
    advice: "Read the provider's reason, then fork with another prompt or model.",
    retry: true,
    fork: true,
    show: "last",
  },
  REPLY_CUT: {
    advice: "Raise the agent's maximum length of a reply, then retry from the step.",
    retry: true,
    fork: true,
    show: "last",
  },
  OUTPUT_INVALID: {
    advice: "Correct the agent's output schema or its prompt, then retry from the step.",
    retry: true,
    fork: true,
    show: "last",
  },
  BUDGET_EXCEEDED: {
    advice: "Change the budget, then retry from the step.",
    retry: true,
    fork: false,
    show: "budgets",
  },
  STEP_LIMIT: {
    advice:
      "See what the last calls did, then fork with another prompt. The operator of the service can raise MAX_STEPS.",
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
  INTERACTION_TIMEOUT: { advice: "Retry to ask again.", retry: true, fork: false, show: "expired" },
  HANDOFF_REFUSED: { advice: "Retry to ask again.", retry: true, fork: true, show: "question" },
  RUN_TIMEOUT: {
    advice: "See which steps took longest. The operator of the service can raise RUN_TIMEOUT.",
    retry: true,
    fork: true,
    show: "slowest",
  },
  TASK_TIMEOUT: {
    advice: "See which steps took longest. The operator of the service can raise TASK_TIMEOUT.",
    retry: true,
    fork: true,
    show: "slowest",
  },
  CRASH_LOOP: {
    advice: "See the executions: the service's log says why these processes ended. Then retry from the step.",
    retry: true,
    fork: true,
    show: "executions",
  },
  FILE_UNAVAILABLE: {
    advice: "Restore the file and run it again, or create the task again with another copy.",
    retry: false,
    fork: false,
    show: "files",
  },
  TEAM_NOT_RUNNABLE: { advice: "Complete the team, then run it again.", retry: false, fork: false, show: "team" },
  INTERNAL_ERROR: {
    advice: "The log has the cause under the id of this run. Give the id to the operator of the service.",
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
