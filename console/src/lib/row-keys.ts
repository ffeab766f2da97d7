import type { RefObject } from "react";
import { useShortcuts } from "./shortcuts.ts";

/** `j` and `k` move between the rows of a list, which are links with `data-row`; Enter opens, since the row is a link. */
export function useRowKeys(list: RefObject<HTMLElement | null>): void {
  function move(step: number): void {
    const links = [...(list.current?.querySelectorAll<HTMLElement>("a[data-row]") ?? [])];
    const now = links.findIndex((link) => link === document.activeElement);
    links[now === -1 ? 0 : Math.min(Math.max(now + step, 0), links.length - 1)]?.focus();
  }
  useShortcuts({ j: () => move(1), k: () => move(-1) });
}
