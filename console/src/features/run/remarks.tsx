import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useWorkspace } from "../../api/use-session.ts";
import { clockTime, shortId } from "../../lib/format.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { Bdi } from "../../ui/bdi.tsx";
import { Button } from "../../ui/button.tsx";
import { CodeIcon } from "../../ui/icons.ts";
import { comparisonOf } from "../records/comparison-search.ts";
import { useDialogs } from "../../ui/dialogs.tsx";
import { waitReason } from "./log/budget-waits.ts";
import type { LogStore } from "./log/log-store.ts";
import { useLog } from "./log/use-run-log.ts";
import { isAssigned } from "../records/run-head.ts";
import type { RunHead, StepRow } from "../records/run-head.ts";
import { takeoversOf } from "./steps/takeovers.ts";

/** Who cancelled the run. */
export function Cancelled({ head }: { readonly head: RunHead }) {
  const { cancelled_by: by, error } = head;
  return (
    <Remark>
      {by !== null && (
        <>
          Cancelled by <Bdi>{by.name}</Bdi>.{" "}
        </>
      )}
      {error !== null && visibleText(error)}
      {!isAssigned(head) && " It has no agent or team now."}
    </Remark>
  );
}

/** That another process went on with the run: the last time in words, all of them in its record. */
export function Takeovers({ head, onShow }: { readonly head: RunHead; readonly onShow: () => void }) {
  const takeovers = takeoversOf(head.executions);
  const last = takeovers.at(-1);
  if (last === undefined) return null;
  return (
    <Remark
      action={
        <Button size="small" className="print:hidden" onClick={onShow}>
          {takeovers.length === 1 ? "Show executions" : `Show all ${takeovers.length} takeovers`}
        </Button>
      }
    >
      <time dateTime={new Date(last.at).toISOString()}>{clockTime(new Date(last.at))}</time>: {last.words}. No finished
      step was repeated.
    </Remark>
  );
}

/** That calls wait for budgets: calls in progress, of any run, have reserved what they need. */
export function BudgetWaiting({
  rows,
  log,
  onShow,
}: {
  readonly rows: readonly StepRow[];
  readonly log: LogStore;
  readonly onShow: () => void;
}) {
  const { waits } = useLog(log);
  const reasons = rows.flatMap((row) => waitReason(waits, row) ?? []);
  const [reason] = reasons;
  if (reason === undefined) return null;
  return (
    <Remark
      action={
        <Button size="small" className="print:hidden" onClick={onShow}>
          Show budgets
        </Button>
      }
    >
      {reasons.length === 1 ? "Waiting" : `${reasons.length} model calls are waiting`} for a budget.{" "}
      {visibleText(reason)}
    </Remark>
  );
}

/** From which run and step this one was forked. */
export function Origin({
  head,
  origin,
  unit,
}: {
  readonly head: RunHead;
  readonly origin: NonNullable<RunHead["forked_from"]>;
  readonly unit: string;
}) {
  const { slug } = useWorkspace();
  const attempt = origin.attempt ?? undefined;
  return (
    <Remark>
      Fork of{" "}
      <Link
        to="/w/$workspace/runs/$id"
        params={{ workspace: slug, id: origin.id }}
        search={{ attempt }}
        className="font-mono text-accent hover:underline"
      >
        {shortId(origin.id)}
      </Link>{" "}
      from {unit} {origin.from_step + 1}; what came before is reused.{" "}
      <Link
        to="/w/$workspace/runs/compare"
        params={{ workspace: slug }}
        search={comparisonOf({ id: origin.id, attempt }, { id: head.id, attempt: head.attempt })}
        className="text-accent hover:underline"
      >
        Compare with the original
      </Link>
    </Remark>
  );
}

/** That a program does the same, after a newcomer's first task. */
export function NowByApi({ onClose }: { readonly onClose: () => void }) {
  const { open } = useDialogs();
  function show(): void {
    onClose();
    open("api");
  }
  return (
    <Remark
      action={
        <span className="flex gap-2 print:hidden">
          <Button size="small" icon={CodeIcon} onClick={show}>
            Show the request
          </Button>
          <Button size="small" look="quiet" onClick={onClose}>
            Close
          </Button>
        </span>
      }
    >
      A program can do the same: one request gives your agent this task.
    </Remark>
  );
}

/** A sentence about the run, above its steps. */
function Remark({
  action,
  children,
}: {
  /** A button beside it. */
  readonly action?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <div className="mx-6 mt-4 mb-2 flex flex-wrap items-center gap-x-3 gap-y-2 text-ink-2 max-sm:mx-4">
      <p>{children}</p>
      {action}
    </div>
  );
}
