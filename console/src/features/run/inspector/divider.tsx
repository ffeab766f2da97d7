import { useState } from "react";
import type { KeyboardEvent, PointerEvent } from "react";
import { textScale } from "../../../lib/text-scale.ts";

const KEY = "muster.inspector-width";
const MIN = 440;
const MAX = 900;
const FIRST = 440;
const STEP = 24;

/** How wide the inspector is in this browser, in pixels at the usual size of text. */
export function useInspectorWidth() {
  const [width, setWidth] = useState(() => clamp(Number(localStorage.getItem(KEY) ?? FIRST)));
  return {
    width,
    setWidth(next: number) {
      const fitting = clamp(next);
      setWidth(fitting);
      localStorage.setItem(KEY, String(fitting));
    },
  };
}

function clamp(width: number): number {
  return Number.isFinite(width) ? Math.round(Math.min(Math.max(width, MIN), MAX)) : FIRST;
}

/** The line between the steps and the inspector: dragged, or moved by the arrow keys. */
export function Divider({ width, onChange }: { readonly width: number; readonly onChange: (width: number) => void }) {
  function onKey(event: KeyboardEvent): void {
    const change = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
    if (change === undefined) return;
    event.preventDefault();
    onChange(width + change);
  }
  function onMove(event: PointerEvent<HTMLElement>): void {
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    onChange(width + (event.currentTarget.getBoundingClientRect().left - event.clientX) / textScale());
  }
  return (
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the inspector"
      aria-valuenow={width}
      aria-valuemin={MIN}
      aria-valuemax={MAX}
      tabIndex={0}
      onKeyDown={onKey}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onMove}
      className="dragged relative min-w-px bg-current before:absolute before:inset-y-0 before:-start-1.5 before:w-3"
    />
  );
}
