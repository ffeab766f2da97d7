/** What has to be done first: to try again, to change the run, or to remove the cause. */
export type FirstStep = "retry" | "fork" | "add-key" | "replace-key" | "budget" | "agent" | "files" | "team";

/** What helps against a failure of a kind. */
export interface Remedy {
  /** What happened and what to do, in a sentence. */
  readonly advice: string;
  readonly first: FirstStep;
  /** Whether continuing from the failed step may succeed. */
  readonly retry: boolean;
  /** Whether something can be changed: a fork with another model or prompt. */
  readonly fork: boolean;
  /** Where the cause is seen: a filter of the steps, a part of the record, or another screen. */
  readonly show?: "slowest" | "last" | "question" | "expired" | "executions" | "log";
}

const REMEDIES: Readonly<Record<string, Remedy>> = {
  PROVIDER_NOT_CONFIGURED: {
    advice: "Add a key of the model's provider, then retry.",
    first: "add-key",
    retry: true,
    fork: true,
  },
  MODEL_ERROR: {
    advice: "Retry from the step, or fork with another model.",
    first: "retry",
    retry: true,
    fork: true,
  },
  MODEL_REFUSED: {
    advice: "Read the provider's reason, then fork with another prompt or model.",
    first: "fork",
    retry: true,
    fork: true,
    show: "last",
  },
  REPLY_CUT: {
    advice: "Raise the agent's maximum length of a reply, then retry from the step.",
    first: "agent",
    retry: true,
    fork: true,
    show: "last",
  },
  OUTPUT_INVALID: {
    advice: "Correct the agent's output schema or its prompt, then retry from the step.",
    first: "agent",
    retry: true,
    fork: true,
    show: "last",
  },
  BUDGET_EXCEEDED: {
    advice: "Raise the budget, then retry from the step.",
    first: "budget",
    retry: true,
    fork: false,
  },
  STEP_LIMIT: {
    advice:
      "See what the last calls did, then fork with another prompt. The operator of the service can raise MAX_STEPS.",
    first: "fork",
    retry: false,
    fork: true,
    show: "last",
  },
  TOOL_LOOP: {
    advice: "See the last calls, then fork with another prompt.",
    first: "fork",
    retry: false,
    fork: true,
    show: "last",
  },
  DIVERGED: {
    advice: "Compare its calls with those of the kept run. If they are right, keep a newer run as the case.",
    first: "agent",
    retry: false,
    fork: false,
    show: "last",
  },
  INTERACTION_TIMEOUT: { advice: "Retry to ask again.", first: "retry", retry: true, fork: false, show: "expired" },
  HANDOFF_REFUSED: { advice: "Retry to ask again.", first: "retry", retry: true, fork: true, show: "question" },
  RUN_TIMEOUT: {
    advice: "See which steps took longest. The operator of the service can raise RUN_TIMEOUT.",
    first: "retry",
    retry: true,
    fork: true,
    show: "slowest",
  },
  TASK_TIMEOUT: {
    advice: "See which steps took longest. The operator of the service can raise TASK_TIMEOUT.",
    first: "retry",
    retry: true,
    fork: true,
    show: "slowest",
  },
  CRASH_LOOP: {
    advice: "See the executions: the service's log says why these processes ended. Then retry from the step.",
    first: "retry",
    retry: true,
    fork: true,
    show: "executions",
  },
  FILE_UNAVAILABLE: {
    advice: "Restore the file and run it again, or create the task again with another copy.",
    first: "files",
    retry: false,
    fork: false,
  },
  TEAM_NOT_RUNNABLE: { advice: "Complete the team, then run it again.", first: "team", retry: false, fork: false },
  INTERNAL_ERROR: {
    advice: "The log has the cause under the id of this run. Give the id to the operator of the service.",
    first: "retry",
    retry: true,
    fork: false,
    show: "log",
  },
};
const OTHER: Remedy = { advice: "Retry from the step at which it ended.", first: "retry", retry: true, fork: true };

const KEY_REJECTED: Remedy = {
  advice: "The provider rejected the key. Replace it, then retry from the step.",
  first: "replace-key",
  retry: true,
  fork: true,
};

/** What helps a run that ended with this code. @param rejectedBy the provider that rejected the key, if one did */
export function remedyOf(code: string | null, rejectedBy?: string): Remedy {
  if (rejectedBy !== undefined) return KEY_REJECTED;
  return (code === null ? undefined : REMEDIES[code]) ?? OTHER;
}
