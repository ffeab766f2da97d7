const STOP_SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs a function whose signal is aborted when the process should stop, so that it leaves nothing half done. */
export async function untilStopped<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  for (const signal of STOP_SIGNALS) process.once(signal, stop);
  try {
    return await run(stopping.signal);
  } finally {
    for (const signal of STOP_SIGNALS) process.removeListener(signal, stop);
  }
}
