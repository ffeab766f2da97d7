const BAR_WIDTH = 24;

/** Returns a progress bar. @param share from 0 to 1 */
export function progressLine(what: string, share: number): string {
  const done = Math.min(1, Math.max(0, share));
  const filled = Math.round(done * BAR_WIDTH);
  return `${what} ${"█".repeat(filled)}${"░".repeat(BAR_WIDTH - filled)} ${Math.floor(done * 100)} %`;
}
