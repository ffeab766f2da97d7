const isApple = /Mac|iPhone|iPad/.test(navigator.platform);

/** How the main modifier is written on this machine: `⌘K`, `Ctrl K`. */
export function withMod(key: string): string {
  return isApple ? `⌘${key}` : `Ctrl ${key}`;
}

/** The same for the other one: `⌥A`, `Alt A`. */
export function withAlt(key: string): string {
  return isApple ? `⌥${key}` : `Alt ${key}`;
}
