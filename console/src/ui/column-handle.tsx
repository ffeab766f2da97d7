import { useLayoutEffect, useRef, useState } from "react";
import type { KeyboardEvent, PointerEvent } from "react";
import { textScale, widthAtUsualText } from "../lib/text-scale.ts";

/** The narrowest and the widest width of a column, in pixels at the usual size of text. */
export const WIDTHS = { min: 56, max: 400 } as const;
/** The column with the title keeps this width when others are widened. */
export const MIN_TITLE = 160;
const STEP = 8;
/** On its edge; in the middle of a gap of 16 pixels before it. */
const PLACES = { start: "-start-3", gap: "-start-5", end: "-end-3" } as const;

/** What {@link ColumnHandle} takes. */
interface ColumnHandleProps {
  /** The name of the column. */
  readonly name: string;
  /** The side of the column with the line; the other columns beyond it make room. */
  readonly at?: keyof typeof PLACES;
  /** The new width in pixels at the usual size of text, within {@link WIDTHS}; undefined for the first one. */
  readonly onChange: (width: number | undefined) => void;
}

/**
 * The line beside a column: dragged, or moved by the arrow keys; Enter or a double click restores the first width. Its
 * parent is the head of the column, positioned.
 */
export function ColumnHandle({ name, at = "start", onChange }: ColumnHandleProps) {
  const handle = useRef<HTMLSpanElement>(null);
  const [width, setWidth] = useState<number>(WIDTHS.min);
  const sign = at === "end" ? 1 : -1;
  const measure = () => setWidth(widthOf(handle.current));
  useLayoutEffect(measure);

  function change(next: number): void {
    onChange(Math.min(Math.max(next, WIDTHS.min), WIDTHS.max));
  }

  function onKey(event: KeyboardEvent<HTMLElement>): void {
    const next = widthAfter(event.key, widthOf(event.currentTarget), sign * STEP);
    if (next === undefined && event.key !== "Enter") return;
    event.preventDefault();
    if (next === undefined) onChange(undefined);
    else change(next);
  }

  const from = useRef({ x: 0, width: 0 });
  function onDown(event: PointerEvent<HTMLElement>): void {
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { x: event.clientX, width: widthOf(event.currentTarget) };
  }
  function onMove(event: PointerEvent<HTMLElement>): void {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    change(from.current.width + (sign * (event.clientX - from.current.x)) / textScale());
  }

  return (
    <span
      ref={handle}
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${name}`}
      aria-valuenow={width}
      aria-valuemin={WIDTHS.min}
      aria-valuemax={WIDTHS.max}
      aria-valuetext={`${width} pixels`}
      tabIndex={0}
      title="Drag, or use the arrow keys. Enter restores the width."
      onFocus={measure}
      onKeyDown={onKey}
      onPointerDown={onDown}
      onPointerMove={onMove}
      onDoubleClick={() => onChange(undefined)}
      className={`dragged absolute inset-y-0 my-auto grid h-8 w-6 place-content-center max-md:hidden ${PLACES[at]}`}
    >
      <span className="h-4 w-px bg-current" />
    </span>
  );
}

/** The width that a key leads to. */
function widthAfter(key: string, present: number, step: number): number | undefined {
  const widths = { ArrowLeft: present - step, ArrowRight: present + step, Home: WIDTHS.min, End: WIDTHS.max };
  return new Map(Object.entries(widths)).get(key);
}

/** That of its column now. */
function widthOf(handle: HTMLElement | null): number {
  const column = handle?.parentElement;
  return column ? widthAtUsualText(column) : WIDTHS.min;
}
