import { useEffect } from "react";

/** How far each key scrolls: parts of the visible height, or to an end. */
const DISTANCES: Readonly<Record<string, number>> = { PageDown: 0.9, PageUp: -0.9, Home: -Infinity, End: Infinity };

/**
 * Scrolls the content of the page by `PageDown`, `PageUp`, `Home` and `End` while nothing has the focus: a browser then
 * scrolls the document, which is as high as the window.
 */
export function useScrollKeys(content: string): void {
  useEffect(() => {
    function onKey(event: KeyboardEvent): void {
      const distance = DISTANCES[event.key];
      const hasModifier = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey;
      if (distance === undefined || hasModifier || event.target !== document.body) return;
      const scroller = scrollerIn(document.getElementById(content));
      if (scroller === undefined) return;
      event.preventDefault();
      const { clientHeight, scrollHeight } = scroller;
      scroller.scrollBy({ top: Math.max(Math.min(distance * clientHeight, scrollHeight), -scrollHeight) });
    }
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [content]);
}

function scrollerIn(content: HTMLElement | null): Element | undefined {
  if (content === null) return undefined;
  return [content, ...content.querySelectorAll("*")].find(
    (element) =>
      element.scrollHeight > element.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(element).overflowY),
  );
}
