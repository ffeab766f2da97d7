/** A signal that also aborts after a time limit. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  /** Whether the time limit aborted the signal. */
  isOver(): boolean;
  /** Call it when the work is done; otherwise the timer keeps the work's objects in memory. */
  clear(): void;
}

/** Longer timers fire immediately (https://nodejs.org/api/timers.html#settimeoutcallback-delay-args). */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Creates a limit of `ms` milliseconds from now, combined with another signal; 0 or less aborts immediately. */
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
