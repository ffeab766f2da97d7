/** Aborts what takes too long. */
export interface TimeLimit {
  /** Aborted when the time is over, or when the caller's signal is. */
  readonly signal: AbortSignal;
  /** Starts the time again. */
  restart(): void;
  /** Ends the limit; call it when the work is done. */
  end(): void;
}

/**
 * Starts a time limit. Safari before 17.4 has no `AbortSignal.any`, which would do the same.
 * @param outer the caller's signal
 */
export function startTimeLimit(ms: number, outer: AbortSignal | undefined, reason: () => Error): TimeLimit {
  const controller = new AbortController();
  const start = () => setTimeout(() => controller.abort(reason()), ms);
  const follow = () => controller.abort(outer?.reason);
  let timer = start();
  if (outer?.aborted === true) follow();
  outer?.addEventListener("abort", follow);
  return {
    signal: controller.signal,
    restart() {
      clearTimeout(timer);
      timer = start();
    },
    end() {
      clearTimeout(timer);
      outer?.removeEventListener("abort", follow);
    },
  };
}
