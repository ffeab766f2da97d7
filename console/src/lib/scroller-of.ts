/** The nearest element around this one that scrolls it. */
export function scrollerOf(element: HTMLElement | null): HTMLElement | null {
  let at = element?.parentElement ?? null;
  while (at !== null && !["auto", "scroll"].includes(getComputedStyle(at).overflowY)) at = at.parentElement;
  return at;
}
