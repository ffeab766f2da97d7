/** A signal that also fires when time is up. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Whether it was the time that fired the signal. */
  isOver(): boolean;
  /** Call when the work is done: a timer that runs on would keep all that belongs to the work in memory. */
  clear(): void;
}

/** Longer timers fire at once (https://nodejs.org/api/timers.html#settimeoutcallback-delay-args). */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Limits work to `ms` milliseconds from now, and to the life of another signal; no time left fires at once. */
export function startTimeLimit(ms: number, outer: AbortSignal): TimeLimit {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), Math.min(ms, MAX_TIMER_MS));
  if (ms <= 0) controller.abort();
  return {
    signal: AbortSignal.any([outer, controller.signal]),
    isOver: () => controller.signal.aborted,
    clear: () => clearTimeout(timer),
  };
}
