import { useBlockedBy } from "../../../api/use-session.ts";
import { visibleText } from "../../../lib/visible-text.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { CloseIcon, ForkIcon } from "../../../ui/icons.ts";
import { canChangeAnswer } from "../model/fork-point.ts";
import { nameOf } from "../model/names.ts";
import { StepState } from "../steps/step-state.tsx";
import type { StepRow } from "../../records/run-head.ts";

/** What is selected, and what one can do with it. */
export function StepTitle({
  row,
  onFork,
  onClose,
}: {
  readonly row: StepRow;
  /** Undefined where no fork can begin. */
  readonly onFork: (() => void) | undefined;
  readonly onClose: () => void;
}) {
  const blockedBy = useBlockedBy("member");
  return (
    <header className="flex h-11 items-center gap-2 ps-6 pe-4">
      <StepState status={row.status} />
      <h2 dir="auto" className="min-w-0 flex-1 truncate text-h3 font-semibold">
        {visibleText(nameOf(row))}
      </h2>
      {onFork !== undefined && <ForkButton row={row} blockedBy={blockedBy} onFork={onFork} />}
      <IconButton label="Close step (Esc)" icon={CloseIcon} onClick={onClose} />
    </header>
  );
}

/** Opens the panel that forks from a step. */
export function ForkButton({
  row,
  blockedBy,
  onFork,
}: {
  /** The step, where it decides what is changed first: a question takes another answer. */
  readonly row?: StepRow;
  readonly blockedBy: string | undefined;
  readonly onFork: () => void;
}) {
  const label = row !== undefined && canChangeAnswer(row) ? "Fork with another answer" : "Fork from here";
  return (
    <Button size="small" icon={ForkIcon} blockedBy={blockedBy} title={`${label} (f)`} onClick={onFork}>
      {label}
    </Button>
  );
}
