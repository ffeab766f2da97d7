import type { CSSProperties } from "react";
import { clockWithMs, duration } from "../../../lib/format.ts";
import { barsOf } from "../model/bars.ts";
import type { Bar, BarLook } from "../model/bars.ts";
import { placeOf, zoomed } from "../model/time-axis.ts";
import type { Interval, TimeAxis, Zoom } from "../model/time-axis.ts";
import type { StepRow } from "../../records/run-head.ts";

/** What is needed to draw bars. */
export interface Scale {
  readonly axis: TimeAxis;
  readonly zoom: Zoom;
  readonly now: number;
  /** The folded waits that are drawn behind the bars. */
  readonly folds: readonly Interval[];
  /** When processes changed. */
  readonly takeovers: readonly Takeover[];
}

/** A process has died or stopped, and another one went on. */
export interface Takeover {
  readonly at: number;
  readonly words: string;
}

const SHAPES: Readonly<Record<BarLook, string>> = {
  "first-token": "h-2.5 rounded-s-[3px] opacity-35 bg-(--bar)",
  stream: "h-2.5 rounded-[3px] bg-(--bar)",
  retry: "h-2.5 rounded-[3px] border border-failed hatched",
  tool: "h-2.5 rounded-[3px] border-[1.5px] border-(--bar) bg-canvas",
  question: "h-2.5 rounded-[3px] border-[1.5px] border-dotted border-waiting",
  group: "h-0.5 rounded-full bg-control/60",
  // Without a least width: a wait of a few milliseconds is not to look like a long one.
  wait: "h-px min-w-0! bg-waiting",
};
/** However short a step is, its bar can be seen. */
const MIN_WIDTH = "3px";
const INKS: Readonly<Record<StepRow["status"], string>> = {
  completed: "[--bar:var(--color-accent)]",
  running: "[--bar:var(--color-running)]",
  waiting: "[--bar:var(--color-waiting)]",
  failed: "[--bar:var(--color-failed)]",
  cancelled: "[--bar:var(--color-idle)]",
};

/** The bar of a step on the time axis, with the rules of takeovers, which go over all rows. */
export function BarCell({ row, scale }: { readonly row: StepRow; readonly scale: Scale }) {
  const { axis, zoom, now, folds, takeovers } = scale;
  const bars = barsOf(row, now);
  const places = bars.map((bar) => ({
    bar,
    from: zoomed(zoom, placeOf(axis, bar.from)),
    to: zoomed(zoom, placeOf(axis, bar.to)),
  }));
  return (
    <div
      title={tooltip(row, bars)}
      className={`relative h-full overflow-hidden ${INKS[row.status]} ${row.taken_over === true ? "opacity-50" : ""}`}
    >
      {folds.map(({ from, x0, x1 }) => (
        <span key={from} className="absolute inset-y-0 bg-surface" style={span(zoomed(zoom, x0), zoomed(zoom, x1))} />
      ))}
      {places
        .filter(({ from, to }) => from <= 1 && to >= 0)
        .map(({ bar: { look, from: begin }, from, to }) => (
          <span
            key={`${look}${begin}`}
            data-bar={look}
            className={`absolute inset-y-0 my-auto forced-color-adjust-none ${SHAPES[look]}`}
            style={wideSpan(from, to, MIN_WIDTH)}
          />
        ))}
      {/* Reused by a fork: it was before this run, at the start of its axis. */}
      {row.taken_over === true && bars.length === 0 && (
        <span
          data-bar="reused"
          className="absolute inset-y-0 my-auto h-2.5 w-[3px] rounded-[3px] bg-(--bar) forced-color-adjust-none"
          style={{ insetInlineStart: `${zoomed(zoom, 0) * 100}%` }}
        />
      )}
      {takeovers.map(({ at }) => (
        <span
          key={at}
          className="absolute inset-y-0 w-px bg-failed/70"
          style={{ insetInlineStart: `${zoomed(zoom, placeOf(axis, at)) * 100}%` }}
        />
      ))}
    </div>
  );
}

const REUSED = "from another run, $0";

function tooltip(row: StepRow, bars: readonly Bar[]): string | undefined {
  const { started_at: from, first_token_at: first, tries = 1, wait_ms: waited = 0 } = row;
  const retried = row.failed_tries?.length ?? tries - 1;
  const last = bars.at(-1);
  if (from === undefined || last === undefined) return row.taken_over === true ? REUSED : undefined;
  return [
    `${clockWithMs(new Date(from))}, ${duration(last.to - from)}`,
    first !== undefined && `first token after ${duration(first - from)}`,
    tries > 1 && `${tries} tries, ${retried} failed`,
    waited > 0 && `waited ${duration(waited)}`,
    row.taken_over === true && REUSED,
  ]
    .filter(Boolean)
    .join(" · ");
}

/** A part of the width, from 0 to 1; what is outside is cut. */
export function span(from: number, to: number): { readonly insetInlineStart: string; readonly width: string } {
  const start = Math.min(Math.max(from, -0.01), 1);
  return { insetInlineStart: `${start * 100}%`, width: `${Math.max(Math.min(to, 1.01) - start, 0) * 100}%` };
}

/** The same with a least width: near the end of the axis it begins earlier, so that nothing of it is cut. */
export function wideSpan(from: number, to: number, minWidth: string): CSSProperties {
  const { insetInlineStart: start, width } = span(from, to);
  return { insetInlineStart: `min(${start}, 100% - ${minWidth})`, width, minWidth };
}
