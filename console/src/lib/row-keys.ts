import type { RefObject } from "react";
import { useShortcuts } from "./shortcuts.ts";

/**
 * `j` and `k` move between the rows of a list, which are links with `data-row`, and begin at the first one in view; Enter
 * opens, since the row is a link.
 */
export function useRowKeys(list: RefObject<HTMLElement | null>): void {
  function move(step: number): void {
    const links = [...(list.current?.querySelectorAll<HTMLElement>("a[data-row]") ?? [])];
    const now = links.findIndex((link) => link === document.activeElement);
    const next = now === -1 ? links.findIndex(isInView) : now + step;
    links[Math.min(Math.max(next, 0), links.length - 1)]?.focus();
  }
  useShortcuts({ j: () => move(1), k: () => move(-1) });
}

/** Whether it is not above what is seen of the page, nor, once that is scrolled, below its sticky head. */
function isInView(link: HTMLElement): boolean {
  const content = document.getElementById("content");
  if (content === null || content.scrollTop === 0) return true;
  const head = Number.parseFloat(getComputedStyle(content).scrollPaddingTop);
  return link.getBoundingClientRect().top >= content.getBoundingClientRect().top + head;
}
