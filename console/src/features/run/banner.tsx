import { hasEnded, stateOf } from "../../lib/run-state.ts";
import { FeedbackBar } from "../feedback/feedback-bar.tsx";
import { RunQuestion } from "./run-question.tsx";
import { forkUnit } from "./model/fork-point.ts";
import { Failure } from "./failure/failure.tsx";
import type { FailureActions } from "./failure/actions.ts";
import type { LogStore } from "./log/log-store.ts";
import { BudgetWaiting, Cancelled, Origin, Takeovers } from "./remarks.tsx";
import type { RunHead, StepRow } from "../records/run-head.ts";

/** What needs a person, what went wrong, or why nothing happens yet. */
export function Banner({
  head,
  rows,
  log,
  failure,
  hasQuestion,
  isStepShown,
}: {
  readonly head: RunHead;
  /** Its steps; undefined while they are read. */
  readonly rows: readonly StepRow[] | undefined;
  readonly log: LogStore;
  readonly failure: FailureActions;
  /** Whether the open question is here, and not beside the steps. */
  readonly hasQuestion: boolean;
  /** Whether the step at which it failed is open beside the steps. */
  readonly isStepShown: boolean;
}) {
  const { status, forked_from: origin } = head;
  return (
    <>
      {hasQuestion && (
        <div className="mx-6 mt-4 mb-2 max-w-[40rem] max-sm:mx-4">
          <RunQuestion head={head} />
        </div>
      )}
      {status === "failed" && <Failure head={head} rows={rows ?? []} failure={failure} isStepShown={isStepShown} />}
      {status === "cancelled" && <Cancelled head={head} />}
      {hasEnded(stateOf(head)) && (
        <div className="mx-6 mt-3 mb-1 max-sm:mx-4">
          <FeedbackBar subject={{ runId: head.id, attempt: head.attempt, messageId: null }} given={head.feedback} />
        </div>
      )}
      <BudgetWaiting rows={rows ?? []} log={log} onShow={failure.onShowDetails} />
      <Takeovers head={head} onShow={failure.onShowDetails} />
      {origin !== null && <Origin head={head} origin={origin} unit={forkUnit(rows)} />}
    </>
  );
}
