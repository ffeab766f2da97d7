/** Work that a process repeats at an interval. */
export interface Poller<T> {
  start(): void;
  /** Runs once, without the interval. */
  runOnce(): Promise<T>;
  /** Waits for the run in progress. */
  stop(): Promise<void>;
}

/** Work for {@link createPoller}. */
export interface PolledWork<T> {
  readonly intervalMs: number;
  /** Ends soon after `isStopped` returns true: the rest is left to the next start or another process. */
  readonly run: (isStopped: () => boolean) => Promise<T>;
  /** Called with the error of a run; the next one follows all the same. */
  readonly onError: (error: unknown) => void;
}

/** Creates a poller; while a run takes longer than the interval, no other one starts. */
export function createPoller<T>({ intervalMs, run, onError }: PolledWork<T>): Poller<T> {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> | undefined;
  let isStopped = false;
  const runOnce = () => run(() => isStopped);

  function poll(): void {
    running ??= runOnce()
      .catch(onError)
      .finally(() => (running = undefined));
  }

  return {
    start: () => void (timer = setInterval(poll, intervalMs)),
    runOnce,
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await running;
    },
  };
}
