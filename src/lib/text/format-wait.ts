const MINUTE = 60;
const HOUR = 3_600;
const DAY = 86_400;

/**
 * A time to wait in words, in the largest unit that does not make it much longer: `45 seconds`, `15 minutes`, `3 hours`,
 * `12 days`. Rounded up, so that who waits as long has waited enough. @param seconds whole seconds
 */
export function formatWait(seconds: number): string {
  if (seconds < 2 * MINUTE) return count(seconds, "second");
  if (seconds < 2 * HOUR) return count(Math.ceil(seconds / MINUTE), "minute");
  if (seconds < 2 * DAY) return count(Math.ceil(seconds / HOUR), "hour");
  return count(Math.ceil(seconds / DAY), "day");
}

function count(value: number, unit: string): string {
  return `${value} ${unit}${value === 1 ? "" : "s"}`;
}
