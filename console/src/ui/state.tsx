import type { ReactNode } from "react";
import { STATE_LABELS } from "../lib/run-state.ts";
import type { RunState } from "../lib/run-state.ts";

const INK: Readonly<Record<RunState, string>> = {
  pending: "text-idle",
  scheduled: "text-scheduled",
  queued: "text-idle",
  running: "text-running",
  waiting: "text-waiting",
  completed: "text-completed",
  failed: "text-failed",
  cancelled: "text-idle",
};
const SOFT: Readonly<Record<RunState, string>> = {
  pending: "bg-idle-soft",
  scheduled: "bg-scheduled-soft",
  queued: "bg-idle-soft",
  running: "bg-running-soft",
  waiting: "bg-waiting-soft",
  completed: "bg-completed-soft",
  failed: "bg-failed-soft",
  cancelled: "bg-idle-soft",
};

/** Each state has its own shape, so that color is not needed to tell them apart. */
const SHAPES: Readonly<Record<RunState, ReactNode>> = {
  pending: <circle cx="8" cy="8" r="5.75" strokeDasharray="2.4 2.1" />,
  scheduled: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="M8 5v3.2l2.1 1.3" />
    </>
  ),
  queued: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="M5.4 8h.01M8 8h.01M10.6 8h.01" strokeWidth="1.75" />
    </>
  ),
  running: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="M8 3.6a4.4 4.4 0 0 1 0 8.8z" fill="currentColor" stroke="none" className="animate-breathe" />
    </>
  ),
  waiting: (
    <>
      <path d="M2.25 4.6c0-1.2 1-2.1 2.1-2.1h7.3c1.2 0 2.1 1 2.1 2.1v4.6c0 1.2-1 2.1-2.1 2.1H7.4l-2.9 2.4v-2.4c-1.3 0-2.25-.9-2.25-2.1z" />
      <path d="M6.5 5.7c.1-.8.7-1.2 1.5-1.2s1.5.5 1.5 1.2c0 1-1.5 1-1.5 1.9M8 9.3v.01" strokeWidth="1.4" />
    </>
  ),
  completed: (
    <>
      <circle cx="8" cy="8" r="6.5" fill="currentColor" stroke="none" />
      <path d="m5.2 8.2 2 2 3.7-4" className="stroke-canvas" />
    </>
  ),
  failed: (
    <>
      <path d="M5.3 1.5h5.4l3.8 3.8v5.4l-3.8 3.8H5.3l-3.8-3.8V5.3z" fill="currentColor" stroke="none" />
      <path d="m5.8 5.8 4.4 4.4M10.2 5.8l-4.4 4.4" className="stroke-canvas" />
    </>
  ),
  cancelled: (
    <>
      <circle cx="8" cy="8" r="5.75" />
      <path d="M5.3 8h5.4" />
    </>
  ),
};

/** The state as an icon with a text alternative, for dense rows. `decorative`: a label is beside it. */
export function StateIcon({ state, decorative = false }: { readonly state: RunState; readonly decorative?: boolean }) {
  const label = decorative ? { "aria-hidden": true } : { role: "img" };
  return (
    <svg
      {...label}
      viewBox="0 0 16 16"
      className={`size-4 shrink-0 ${INK[state]}`}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {decorative ? null : <title>{STATE_LABELS[state]}</title>}
      {SHAPES[state]}
    </svg>
  );
}

/** The state as an icon and a label on a tinted background. `children`: another label, if it is not a run's state. */
export function StateChip({ state, children }: { readonly state: RunState; readonly children?: ReactNode }) {
  return (
    <span className={`chip h-5 gap-1 ps-1 align-middle font-medium whitespace-nowrap ${INK[state]} ${SOFT[state]}`}>
      <span className="scale-[0.85]">
        <StateIcon state={state} decorative />
      </span>
      {children ?? STATE_LABELS[state]}
    </span>
  );
}
