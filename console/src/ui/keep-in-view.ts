import type { FocusEvent } from "react";

/** Scrolls to what gets the focus: Radix leads from the first element of a dialog to the last one without scrolling. */
export function keepInView({ target }: FocusEvent): void {
  target.scrollIntoView({ block: "nearest" });
}

/** The room of a focus ring, in pixels. */
const RING = 4;

/** For a line wider than the window: scrolls to what gets the focus. Browsers do not when a part of it is in view. */
export function keepInLine({ target, currentTarget: line }: FocusEvent<HTMLElement>): void {
  // An entry of a menu is in the line for React only.
  if (!line.contains(target)) return;
  const [own, all] = [target.getBoundingClientRect(), line.getBoundingClientRect()];
  line.scrollLeft += Math.max(own.right + RING - all.right, 0) + Math.min(own.left - RING - all.left, 0);
}
