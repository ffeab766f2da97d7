import { useEffect, useRef } from "react";

/** At least as long as a double click lasts, in milliseconds. */
const DOUBLE_CLICK_MS = 500;

/**
 * Returns whether the page has just come to the front: then a click may have been meant for a window that covered it, and
 * that another site closed between the two clicks of a double click.
 */
export function useJustShown(): () => boolean {
  const shownAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const note = () => (shownAt.current = performance.now());
    window.addEventListener("focus", note);
    return () => window.removeEventListener("focus", note);
  }, []);
  return () => performance.now() - shownAt.current < DOUBLE_CLICK_MS;
}
