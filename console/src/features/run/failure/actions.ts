import type { Remedy } from "../model/remedy.ts";
import type { StepRow } from "../../records/run-head.ts";
import type { StepFilter } from "../search.ts";

/** What can be done about a failure. */
export interface FailureActions {
  /** At which step it failed. */
  readonly step: StepRow | undefined;
  /** The agent of that step. */
  readonly agentId: string | undefined;
  /** The provider that rejected the key, if that was the cause. */
  readonly rejectedBy: string | undefined;
  readonly remedy: Remedy;
  readonly onSelect: (key: string, tab?: "attempts") => void;
  /** Undefined where it cannot be done. */
  readonly onFork: (() => void) | undefined;
  readonly onRetry: (() => void) | undefined;
  readonly isRetrying: boolean;
  /** Opens the record of the run, with its executions and budgets. */
  readonly onShowDetails: () => void;
  /** Shows only some of the steps. */
  readonly onFilter: (filter: StepFilter) => void;
}
