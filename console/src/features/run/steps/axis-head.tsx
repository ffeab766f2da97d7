import { useEffect, useRef, useState } from "react";
import type { PointerEvent, RefObject } from "react";
import { duration } from "../../../lib/format.ts";
import { textScale } from "../../../lib/text-scale.ts";
import { FoldIcon, MoreIcon } from "../../../ui/icons.ts";
import { placeOf, ticksOf, zoomed } from "../model/time-axis.ts";
import type { Interval, Zoom } from "../model/time-axis.ts";
import { span, wideSpan } from "./waterfall.tsx";
import type { Scale } from "./waterfall.tsx";

/** In pixels at the usual size of text, as the others here. */
const TICK_PX = 72;
/** A label needs so much for each of its characters, and beside them. */
const CHARACTER_PX = 6.5;
const LABEL_PX = 8;
/** The least width of the button on a wait. */
const FOLD_PX = 24;
const FIRST_WIDTH = 240;
/** A shorter drag is a click. */
const MIN_DRAG = 0.02;

/** The time axis: round times, folded waits to click, and a drag that zooms. */
export function AxisHead({
  scale,
  onZoom,
  onFold,
}: {
  readonly scale: Scale;
  readonly onZoom: (zoom: Zoom) => void;
  /** Folds a wait, or unfolds it, by its beginning. */
  readonly onFold: (from: number) => void;
}) {
  const { axis, zoom, takeovers } = scale;
  const element = useRef<HTMLDivElement>(null);
  const width = useWidth(element) / textScale();
  const { drag, handlers } = useDragZoom(zoom, onZoom);
  const folds = foldsWithRoom(axis.waits, { zoom, width });

  /** The space to the right of a mark, up to the next button on a wait, takeover or end; none under a button. */
  function roomFor(place: number): number {
    const at = zoomed(zoom, place) * width;
    const rules = takeovers.map((takeover) => zoomed(zoom, placeOf(axis, takeover.at)) * width);
    const next = [...folds.filter(({ to }) => to > at).map(({ from }) => from), ...rules.filter((rule) => rule > at)];
    return Math.min(width, ...next) - at;
  }

  return (
    <div
      ref={element}
      className="relative h-full cursor-col-resize touch-pan-y overflow-hidden select-none"
      {...handlers}
    >
      {ticksOf(axis, zoom, Math.max(Math.floor(width / TICK_PX), 1)).map(({ place, ms }) => (
        <span
          key={ms}
          className="absolute inset-y-0 border-s border-line ps-1 text-caption leading-7 whitespace-nowrap text-ink-3"
          style={{ insetInlineStart: `${zoomed(zoom, place) * 100}%` }}
        >
          {roomFor(place) >= tickLabel(ms).length * CHARACTER_PX + LABEL_PX && tickLabel(ms)}
        </span>
      ))}
      {folds.map(({ wait }) => (
        <Fold key={wait.from} wait={wait} zoom={zoom} onClick={() => onFold(wait.from)} />
      ))}
      {takeovers.map(({ at, words }) => (
        <span
          key={at}
          title={words}
          className="absolute inset-y-0 w-1 bg-failed/70 forced-color-adjust-none"
          style={{ insetInlineStart: `${zoomed(zoom, placeOf(axis, at)) * 100}%` }}
        >
          <span className="sr-only">{words}</span>
        </span>
      ))}
      {drag !== undefined && <span className="absolute inset-y-0 bg-accent/20" style={span(...ends(drag))} />}
    </div>
  );
}

/** What is dragged over, in parts of the width, and what turns it into a zoom. */
function useDragZoom(zoom: Zoom, onZoom: (zoom: Zoom) => void) {
  const [drag, setDrag] = useState<Zoom>();
  function finish(): void {
    setDrag(undefined);
    if (drag === undefined) return;
    const [from, to] = ends(drag);
    if (to - from < MIN_DRAG) return;
    const size = zoom.to - zoom.from;
    onZoom({ from: zoom.from + from * size, to: zoom.from + to * size });
  }
  const handlers = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.target instanceof Element && event.target.closest("button") !== null) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const place = placeOfPointer(event);
      setDrag({ from: place, to: place });
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) =>
      drag !== undefined && setDrag({ from: drag.from, to: placeOfPointer(event) }),
    onPointerUp: finish,
    onPointerCancel: () => setDrag(undefined),
  };
  return { drag, handlers };
}

/** A drag may go backwards. */
function ends({ from, to }: Zoom): [from: number, to: number] {
  return [Math.min(from, to), Math.max(from, to)];
}

function placeOfPointer({ clientX, currentTarget }: PointerEvent<HTMLElement>): number {
  const box = currentTarget.getBoundingClientRect();
  return Math.min(Math.max((clientX - box.left) / box.width, 0), 1);
}

/** The button on a wait: in place of a folded one, and in the middle of what one sees of it in full. */
function Fold({ wait, zoom, onClick }: { readonly wait: Interval; readonly zoom: Zoom; readonly onClick: () => void }) {
  const { from, to, x0, x1, isFolded } = wait;
  const middle = middleOf(wait, zoom);
  if (middle === undefined) return null;
  const words = `Waited ${duration(to - from)}: ${isFolded ? "show it in full" : "fold it"}`;
  const Icon = isFolded ? MoreIcon : FoldIcon;
  return (
    <button
      type="button"
      title={words}
      aria-label={words}
      className={`absolute inset-y-0.5 min-w-6 rounded-[4px] bg-raised text-caption text-ink-3 hover:text-ink ${isFolded ? "" : "-translate-x-1/2 rtl:translate-x-1/2"}`}
      style={
        isFolded
          ? wideSpan(zoomed(zoom, x0), zoomed(zoom, x1), "1.5rem")
          : { insetInlineStart: `${zoomed(zoom, middle) * 100}%` }
      }
      onClick={onClick}
    >
      <Icon className="mx-auto" />
    </button>
  );
}

/** The waits whose buttons have room beside each other, with where those are; for others one zooms in. */
function foldsWithRoom(waits: readonly Interval[], place: { readonly zoom: Zoom; readonly width: number }) {
  let end = -Infinity;
  return waits.flatMap((wait) => {
    const button = buttonOn(wait, place);
    if (button === undefined || button.from < end) return [];
    end = button.to;
    return [{ wait, ...button }];
  });
}

/** Where the button on a wait begins and ends, in pixels; undefined if none of the wait is in the visible range. */
function buttonOn(wait: Interval, { zoom, width }: { readonly zoom: Zoom; readonly width: number }) {
  const middle = middleOf(wait, zoom);
  if (middle === undefined) return undefined;
  const [x0, x1] = [zoomed(zoom, wait.x0) * width, zoomed(zoom, wait.x1) * width];
  if (wait.isFolded) return { from: Math.min(x0, width - FOLD_PX), to: Math.max(x1, x0 + FOLD_PX) };
  const center = zoomed(zoom, middle) * width;
  return { from: center - FOLD_PX / 2, to: center + FOLD_PX / 2 };
}

/** The middle of the part of a wait that is in the visible range; undefined if none is. */
function middleOf({ x0, x1 }: Interval, { from, to }: Zoom): number | undefined {
  const [start, end] = [Math.max(x0, from), Math.min(x1, to)];
  return start < end ? (start + end) / 2 : undefined;
}

/** Round times need no zeros: `5 s`, `1 min`, `2 h`. */
function tickLabel(ms: number): string {
  return ms === 0 ? "0" : duration(ms).replace(/\.0(?= s$)| 00 (?:s|min)$/, "");
}

function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(FIRST_WIDTH);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}
