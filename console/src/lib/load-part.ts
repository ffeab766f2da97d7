const KEY = "muster.reloaded-at";
const ONCE_MS = 60_000;
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 4_000;

let waiting = 0;
const listeners = new Set<() => void>();

/** Whether a part waits for the service to respond. */
export function isPartWaiting(): boolean {
  return waiting > 0;
}

/** Calls the listener when {@link isPartWaiting} may have changed; gives what ends that. */
export function onPartWaiting(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function countWaiting(change: 1 | -1): void {
  waiting += change;
  for (const listener of listeners) listener();
}

/**
 * Loads a part of the console, such as a screen. While the service does not respond it tries again, and the page stays as
 * it is. When a newer version has replaced the part, the page is reloaded, once.
 * @param load imports the part
 */
export async function loadPart<T>(load: () => Promise<T>): Promise<T> {
  let [wasServed, isWaiting] = [false, false];
  try {
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
      try {
        return await load();
      } catch (error) {
        // The service may have come back after the part was requested: the second failure counts.
        if (wasServed) return await reloadOnce(error);
        wasServed = await isServed();
      }
      if (wasServed) continue;
      if (!isWaiting) countWaiting(1);
      isWaiting = true;
      await new Promise((done) => setTimeout(done, pauseMs));
    }
  } finally {
    if (isWaiting) countWaiting(-1);
  }
}

async function isServed(): Promise<boolean> {
  return fetch("/auth/options", { cache: "no-store" }).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** @throws the error when a reload has not helped */
function reloadOnce(error: unknown): Promise<never> {
  const last = Number(sessionStorage.getItem(KEY) ?? 0);
  if (Date.now() - last < ONCE_MS) throw error;
  sessionStorage.setItem(KEY, String(Date.now()));
  location.reload();
  return new Promise(() => undefined);
}
