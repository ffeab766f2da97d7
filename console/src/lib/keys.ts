const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** Copies the id of what a page shows, for {@link useShortcuts}. */
export const COPY_ID = "mod+.";

/** How the main modifier is written on this machine: `⌘K`, `Ctrl K`. */
export function withMod(key: string): string {
  return isApple ? `⌘${key}` : `Ctrl ${key}`;
}

/** The same for the other one: `⌥A`, `Alt A`. */
export function withAlt(key: string): string {
  return isApple ? `⌥${key}` : `Alt ${key}`;
}
