import { useRef } from "react";
import type { KeyboardEvent, PointerEvent } from "react";

const STEP = 8;

/**
 * The line before a column: dragged, or moved by the arrow keys; Enter or a double click restores the first width. Its
 * parent is the head of the column, positioned.
 */
export function ColumnHandle({
  name,
  width,
  min,
  max,
  onChange,
}: {
  /** The name of the column. */
  readonly name: string;
  /** In CSS pixels, like the next two. */
  readonly width: number;
  readonly min: number;
  readonly max: number;
  /** The new width; undefined for the first one. */
  readonly onChange: (width: number | undefined) => void;
}) {
  const from = useRef({ x: 0, width });

  function onKey(event: KeyboardEvent): void {
    const next = { ArrowLeft: width + STEP, ArrowRight: width - STEP, Home: min, End: max, Enter: undefined };
    if (!Object.keys(next).includes(event.key)) return;
    event.preventDefault();
    onChange(new Map(Object.entries(next)).get(event.key));
  }

  function onDown(event: PointerEvent<HTMLElement>): void {
    event.currentTarget.setPointerCapture(event.pointerId);
    from.current = { x: event.clientX, width };
  }

  function onMove(event: PointerEvent<HTMLElement>): void {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    onChange(from.current.width + from.current.x - event.clientX);
  }

  return (
    <span
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${name}`}
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuetext={`${width} pixels`}
      tabIndex={0}
      title="Drag, or use the arrow keys. Enter restores the width."
      onKeyDown={onKey}
      onPointerDown={onDown}
      onPointerMove={onMove}
      onDoubleClick={() => onChange(undefined)}
      className="absolute -inset-y-2 -start-3 flex w-6 cursor-col-resize touch-none justify-center after:my-2 after:w-px after:bg-line after:transition-colors after:duration-120 hover:after:bg-accent focus-visible:after:bg-accent max-md:hidden"
    />
  );
}
