import type { StepRow } from "../../records/run-head.ts";
import { isModelCall } from "./tree.ts";

/** A stretch of the axis: of time in which something runs, or of a wait that is folded. */
export interface Interval {
  /** Unix milliseconds. */
  readonly from: number;
  readonly to: number;
  /** Where it begins and ends on the axis, from 0 to 1. */
  readonly x0: number;
  readonly x1: number;
  readonly isFolded: boolean;
}

/** Maps times to positions; waits may be folded. */
export interface TimeAxis {
  readonly from: number;
  readonly to: number;
  readonly stretches: readonly Interval[];
  /** The waits that are long enough to be folded, whether they are or not. */
  readonly waits: readonly Interval[];
}

/** A part of the axis, from 0 to 1. */
export interface Zoom {
  readonly from: number;
  readonly to: number;
}

/** All of the axis. */
export const FULL_ZOOM: Zoom = { from: 0, to: 1 };

interface Span {
  readonly from: number;
  readonly to: number;
}

/** A wait that is longer than this part of the rest is folded, and then takes this part of the axis. */
const FOLD_SHARE = 0.05;
const FOLDED_WIDTH = 0.04;
/** All folds together never take more. */
const MAX_FOLDED_WIDTH = 0.4;
/** Nothing shorter is worth a fold. */
const MIN_FOLD_MS = 2_000;

/**
 * The axis of a run. Times in which only a question was open, or nothing, are waits.
 * @param unfolded the beginnings of waits that are shown in full
 */
export function createAxis(rows: readonly StepRow[], now: number, unfolded: ReadonlySet<number>): TimeAxis {
  const spans = rows.flatMap((row) => spanOf(row, now) ?? []);
  const from = Math.min(...spans.map((span) => span.from));
  const to = Math.max(...spans.map((span) => span.to));
  if (spans.length === 0 || to <= from) return { from: now, to: now + 1, stretches: [whole(now, now + 1)], waits: [] };
  const busy = joined(rows.flatMap((row) => (isWork(row) ? (spanOf(row, now) ?? []) : [])));
  const waits = gaps(busy, { from, to });
  const rest = to - from - total(waits);
  const limit = Math.max(FOLD_SHARE * Math.max(rest, 1), MIN_FOLD_MS);
  const long = waits.filter((wait) => wait.to - wait.from > limit);
  const folded = long.filter((wait) => !unfolded.has(wait.from));
  const stretches = stretchesOf({ from, to }, folded);
  return {
    from,
    to,
    stretches,
    waits: long.map((wait) => ({
      ...wait,
      x0: placeOf({ stretches }, wait.from),
      x1: placeOf({ stretches }, wait.to),
      isFolded: folded.includes(wait),
    })),
  };
}

/** What a fork took over was done in the other run, before this one. */
function spanOf(row: StepRow, now: number): Span | undefined {
  const { started_at: from, ended_at: to, status } = row;
  if (row.taken_over === true) return undefined;
  if (from === undefined) return to === undefined ? undefined : { from: to, to };
  if (to !== undefined) return { from, to: Math.max(from, to) };
  return { from, to: status === "running" || status === "waiting" ? Math.max(from, now) : from };
}

/** Groups span the waits of their parts, and people take their time: only calls are work. */
function isWork(row: StepRow): boolean {
  return isModelCall(row) || row.kind === "tool";
}

function joined(spans: readonly Span[]): readonly Span[] {
  const result: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last === undefined || span.from > last.to) result.push(span);
    else if (span.to > last.to) result[result.length - 1] = { from: last.from, to: span.to };
  }
  return result;
}

function gaps(busy: readonly Span[], { from, to }: Span): readonly Span[] {
  const edges = [from, ...busy.flatMap((span) => [span.from, span.to]), to];
  return edges.flatMap((edge, index) => {
    const next = edges[index + 1];
    return index % 2 === 0 && next !== undefined && next > edge ? [{ from: edge, to: next }] : [];
  });
}

function total(spans: readonly Span[]): number {
  return spans.reduce((sum, span) => sum + span.to - span.from, 0);
}

function whole(from: number, to: number): Interval {
  return { from, to, x0: 0, x1: 1, isFolded: false };
}

function stretchesOf({ from, to }: Span, folded: readonly Span[]): readonly Interval[] {
  const open = gaps(folded, { from, to });
  const openMs = total(open);
  const foldWidth = openMs === 0 ? 1 / folded.length : Math.min(FOLDED_WIDTH, MAX_FOLDED_WIDTH / folded.length);
  const perMs = openMs === 0 ? 0 : (1 - foldWidth * folded.length) / openMs;
  const parts = [
    ...open.map((span) => ({ ...span, isFolded: false, width: (span.to - span.from) * perMs })),
    ...folded.map((span) => ({ ...span, isFolded: true, width: foldWidth })),
  ].toSorted((a, b) => a.from - b.from);
  let x = 0;
  return parts.map(({ width, ...span }) => {
    const x0 = x;
    x += width;
    return { ...span, x0, x1: x };
  });
}

/** Where a time is on the axis, from 0 to 1. */
export function placeOf({ stretches }: Pick<TimeAxis, "stretches">, time: number): number {
  const stretch = stretches.find(({ to }) => time <= to) ?? stretches.at(-1);
  if (stretch === undefined) return 0;
  const { from, to, x0, x1 } = stretch;
  const share = to === from ? 0 : Math.min(Math.max((time - from) / (to - from), 0), 1);
  return x0 + share * (x1 - x0);
}

/** A position on the axis within the zoomed range: 0 and 1 are the edges, others are outside. */
export function zoomed({ from, to }: Zoom, place: number): number {
  return (place - from) / (to - from);
}

/** A narrower part of the width cannot be told from the lines of a grid. */
const MIN_FOLD_WIDTH = 0.01;

/** The folded waits that can be seen as such: a run with hundreds of answers has hundreds, each of them too narrow. */
export function visibleFolds({ stretches }: TimeAxis, zoom: Zoom): readonly Interval[] {
  return stretches.filter(({ isFolded, x0, x1 }) => {
    const [start, end] = [zoomed(zoom, x0), zoomed(zoom, x1)];
    return isFolded && start < 1 && end > 0 && end - start >= MIN_FOLD_WIDTH;
  });
}

/** The smallest part that is shown. */
const MIN_ZOOM = 0.002;

/** A zoom around the middle of another one; by 2 one sees half as much. */
export function zoomBy({ from, to }: Zoom, factor: number): Zoom {
  const width = Math.min(Math.max((to - from) / factor, MIN_ZOOM), 1);
  const start = Math.min(Math.max((from + to - width) / 2, 0), 1 - width);
  return { from: start, to: start + width };
}

/** A mark of the axis: where it is, and how long after the beginning. */
export interface Tick {
  readonly place: number;
  readonly ms: number;
}

const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500];
const SECONDS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400];
const NICE_MS = [...STEPS, ...SECONDS.map((seconds) => seconds * 1_000)];

/** Round times in the visible range, at most `max`. */
export function ticksOf(axis: TimeAxis, zoom: Zoom, most: number): readonly Tick[] {
  const seen = axis.stretches.flatMap((stretch) => (stretch.isFolded ? [] : (cut(stretch, zoom) ?? [])));
  const msSeen = total(seen);
  const step = NICE_MS.find((ms) => msSeen / ms <= most) ?? Math.max(msSeen / most, 1);
  return seen.flatMap(({ from, to, x0, x1 }) => {
    const begin = Math.ceil((from - axis.from) / step) * step;
    const length = Math.max(Math.floor((to - axis.from - begin) / step) + 1, 0);
    return Array.from({ length }, (_, index) => {
      const ms = begin + index * step;
      return { place: x0 + ((ms - (from - axis.from)) / (to - from)) * (x1 - x0), ms };
    });
  });
}

/** The part of a stretch that is in the visible range; undefined if none is. */
function cut({ from, to, x0, x1, isFolded }: Interval, zoom: Zoom): Interval | undefined {
  const [start, end] = [Math.max(x0, zoom.from), Math.min(x1, zoom.to)];
  if (end <= start) return undefined;
  const timeAt = (x: number) => from + ((x - x0) / (x1 - x0)) * (to - from);
  return { from: timeAt(start), to: timeAt(end), x0: start, x1: end, isFolded };
}
