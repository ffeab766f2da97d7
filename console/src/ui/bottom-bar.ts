/** The bars at the bottom of the window that are in the document. */
const bars = new Set<HTMLElement>();

/**
 * A `ref` for a bar with buttons at the bottom of the window: messages appear above it, so that its buttons can be
 * reached while one is shown.
 */
export function bottomBar(element: HTMLElement | null): (() => void) | undefined {
  if (element === null) return undefined;
  const observer = new ResizeObserver(setHeight);
  bars.add(element);
  observer.observe(element);
  return () => {
    observer.disconnect();
    bars.delete(element);
    setHeight();
  };
}

function setHeight(): void {
  const height = Math.max(0, ...[...bars].map(({ offsetHeight }) => offsetHeight));
  document.documentElement.style.setProperty("--bottom-bar", `${height}px`);
}
