import type { KeyboardEvent, PointerEvent, SyntheticEvent } from "react";

const PAGE_KEYS: ReadonlySet<string> = new Set(["PageUp", "PageDown"]);

/** Handlers for an element that scrolls: they call back when a person scrolls it, not when the page itself does. */
export function scrolledByHand(onScroll: () => void) {
  function onGesture({ currentTarget: { scrollHeight, clientHeight } }: SyntheticEvent<HTMLElement>): void {
    if (scrollHeight > clientHeight) onScroll();
  }
  return {
    onWheel: onGesture,
    onTouchMove: onGesture,
    /** Its scroll bar is a part of the element itself. */
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.target === event.currentTarget) onGesture(event);
    },
    onKeyDown(event: KeyboardEvent<HTMLElement>) {
      if (PAGE_KEYS.has(event.key)) onGesture(event);
    },
  };
}
