import { useBlockedBy } from "../../../api/use-session.ts";
import { plural } from "../../../lib/format.ts";
import { visibleText } from "../../../lib/visible-text.ts";
import { Bdi } from "../../../ui/bdi.tsx";
import { Button } from "../../../ui/button.tsx";
import { ArrowRightIcon } from "../../../ui/icons.ts";
import { RunPrice } from "../../estimates/run-price.tsx";
import { ForkButton } from "../inspector/step-title.tsx";
import { causesOf } from "../model/failure.ts";
import { placeOf } from "../model/names.ts";
import type { RunHead, StepRow } from "../../records/run-head.ts";
import type { FailureActions } from "./actions.ts";
import { CauseLink } from "./cause-link.tsx";

/** What failed and why, and what helps besides the first button of the page. */
export function Failure({
  head,
  rows,
  failure,
  isStepShown,
}: {
  readonly head: RunHead;
  readonly rows: readonly StepRow[];
  readonly failure: FailureActions;
  /** Whether the failed step is open beside it, which offers the fork as well. */
  readonly isStepShown: boolean;
}) {
  const { step, remedy, onSelect, onFork } = failure;
  const blockedBy = useBlockedBy("member");
  const canFork = remedy.fork && remedy.first !== "fork" && !isStepShown;
  return (
    <section aria-labelledby="failure" className="mx-6 mt-4 mb-2 rounded-panel bg-failed-soft px-4 py-3 max-sm:mx-4">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 id="failure" className="font-semibold text-failed">
          {step === undefined
            ? "This run failed"
            : `Failed ${step.status === "completed" ? "after" : "at"} ${placeOf(step, rows)}`}
        </h2>
        <span className="font-mono text-small text-failed">{head.error_code}</span>
      </div>
      <Why head={head} rows={rows} step={step} />
      <p className="mt-1 text-ink-2">
        {head.details === "purged" ? "Its steps are deleted: run it again." : remedy.advice}
      </p>
      <RunPrice runId={head.id} />
      <div className="mt-3 flex flex-wrap gap-2 empty:hidden print:hidden">
        {canFork && onFork !== undefined && <ForkButton blockedBy={blockedBy} onFork={onFork} />}
        {step !== undefined && (
          <Button size="small" icon={ArrowRightIcon} onClick={() => onSelect(step.key)}>
            Go to step
          </Button>
        )}
        <CauseLink head={head} failure={failure} />
      </div>
    </section>
  );
}

/** The error; of a fan-out, the errors of its branches. */
function Why({
  head: { error },
  rows,
  step,
}: {
  readonly head: RunHead;
  readonly rows: readonly StepRow[];
  readonly step: StepRow | undefined;
}) {
  const causes = step === undefined ? [] : causesOf(rows, step);
  if (causes.length > 0) {
    return (
      <ul aria-label="Causes" className="mt-1 flex max-w-[72ch] list-disc flex-col gap-0.5 ps-5">
        {causes.map(({ message, branches }) => (
          <li key={message}>
            <Bdi>{message}</Bdi>{" "}
            <span className="whitespace-nowrap text-ink-2">({plural(branches, "branch", "branches")})</span>
          </li>
        ))}
      </ul>
    );
  }
  if (error === null) return null;
  return (
    <p dir="auto" className="mt-1 max-w-[72ch]">
      {visibleText(error)}
    </p>
  );
}
