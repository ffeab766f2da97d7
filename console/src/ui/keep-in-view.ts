import type { FocusEvent } from "react";

/** Scrolls to what gets the focus: Radix leads from the first element of a dialog to the last one without scrolling. */
export function keepInView({ target }: FocusEvent): void {
  target.scrollIntoView({ block: "nearest" });
}
