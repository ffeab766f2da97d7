import type { ReactNode } from "react";
import { useBlockedBy } from "../../../api/use-session.ts";
import { scrolledByHand } from "../../../lib/scrolled-by-hand.ts";
import { Sheet } from "../../../ui/sheet.tsx";
import { nameOf } from "../model/names.ts";
import type { StepRow } from "../../records/run-head.ts";
import { ForkButton } from "./step-title.tsx";

/** What is beside the steps. */
export function InspectorPane({
  width,
  onScroll,
  children,
}: {
  /** In pixels at the usual size of text. */
  readonly width: number;
  readonly onScroll: () => void;
  readonly children: ReactNode;
}) {
  return (
    <aside
      aria-label="Inspector"
      tabIndex={0}
      className="shrink-0 scroll-pt-14 scrolls -outline-offset-2 print:w-full!"
      style={{ width: `${width / 16}rem` }}
      {...scrolledByHand(onScroll)}
    >
      {children}
    </aside>
  );
}

/** On a narrow screen a step covers the others. */
export function StepSheet({
  row,
  onFork,
  onClose,
  children,
}: {
  readonly row: StepRow;
  readonly onFork: (() => void) | undefined;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const blockedBy = useBlockedBy("member");
  return (
    <Sheet title={nameOf(row)} fills onClose={onClose}>
      {onFork !== undefined && (
        <div className="px-page pt-3">
          <ForkButton row={row} blockedBy={blockedBy} onFork={onFork} />
        </div>
      )}
      {children}
    </Sheet>
  );
}
