import { memo } from "react";
import { isCall } from "../model/tree.ts";
import { placeOf } from "../model/time-axis.ts";
import type { TimeAxis } from "../model/time-axis.ts";
import type { StepRow } from "../../records/run-head.ts";

const WIDTH = 1_000;
const LAYERS = [
  { status: "completed", ink: "stroke-accent/50" },
  { status: "running", ink: "stroke-running" },
  { status: "waiting", ink: "stroke-waiting" },
  { status: "failed", ink: "stroke-failed" },
] as const;

/** All of the run in a strip: where something ran, and where it failed. */
export const Minimap = memo(function Minimap({
  rows,
  axis,
}: {
  readonly rows: readonly StepRow[];
  readonly axis: TimeAxis;
}) {
  const calls = rows.filter(isCall);
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${WIDTH} 4`}
      preserveAspectRatio="none"
      className="absolute inset-x-0 bottom-0 block h-1 w-full"
    >
      {LAYERS.map(({ status, ink }) => (
        <path
          key={status}
          className={ink}
          strokeWidth="4"
          d={calls
            .filter((row) => row.status === status)
            .map((row) => line(row, axis))
            .join("")}
        />
      ))}
    </svg>
  );
});

function line({ started_at: from, ended_at: to }: StepRow, axis: TimeAxis): string {
  if (from === undefined) return "";
  const start = Math.round(placeOf(axis, from) * WIDTH);
  const end = Math.round(placeOf(axis, to ?? axis.to) * WIDTH);
  return `M${start} 2H${Math.max(end, start + 2)}`;
}
