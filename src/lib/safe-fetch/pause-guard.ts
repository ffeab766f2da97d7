import { AsyncLocalStorage } from "node:async_hooks";
import type { Dispatcher } from "undici";

/** A longer pause of this process may have cost it what it checked before. */
const MAX_PAUSE_MS = 1_000;
const TICK_MS = 250;

interface Guard {
  /** When the check began. */
  readonly checkedAt: number;
  /** `checked`: nothing was sent yet; `paused`: nothing was sent because of a pause. */
  state: "checked" | "sent" | "paused";
}

/** A request was not sent, because this process had stood still since its check. */
export class ProcessPausedError extends Error {
  override readonly name = "ProcessPausedError";
}

const guards = new AsyncLocalStorage<Guard>();
let tickedAt: number | undefined;
let pausedUntil = -Infinity;

/**
 * Makes a call right after a check. If this process stands still before the first request of the call is sent, such as
 * in a frozen container, the request is not sent, and both begin again.
 */
export async function callAfterCheck<T>(check: () => Promise<void>, call: () => Promise<T>): Promise<T> {
  watchClock();
  for (;;) {
    const guard: Guard = { checkedAt: performance.now(), state: "checked" };
    await check();
    const result = await guards.run(guard, () => attempt(call));
    if (guard.state !== "paused") return result();
  }
}

/** Its outcome as a function that returns or throws it. */
function attempt<T>(call: () => Promise<T>): Promise<() => T> {
  return call().then(
    (value) => () => value,
    (error: unknown) => () => {
      throw error;
    },
  );
}

/** Rejects the first request of a call after a pause, at the moment before it is written. */
export const rejectAfterPause: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const guard = guards.getStore();
  if (guard?.state !== "checked") return dispatch(options, handler);
  return dispatch(options, {
    onRequestStart(controller, context) {
      const isPaused = pausedSince(guard.checkedAt);
      guard.state = isPaused ? "paused" : "sent";
      if (isPaused) controller.abort(new ProcessPausedError("The process stood still before the request was sent."));
      else handler.onRequestStart?.(controller, context);
    },
    onRequestUpgrade: (...upgrade) => handler.onRequestUpgrade?.(...upgrade),
    onResponseStart: (...start) => handler.onResponseStart?.(...start),
    onResponseData: (...data) => handler.onResponseData?.(...data),
    onResponseEnd: (...end) => handler.onResponseEnd?.(...end),
    onResponseError: (...error) => handler.onResponseError?.(...error),
  });
};

function watchClock(): void {
  if (tickedAt !== undefined) return;
  tickedAt = performance.now();
  setInterval(tick, TICK_MS).unref();
}

function tick(): void {
  const now = performance.now();
  if (now - (tickedAt ?? now) > MAX_PAUSE_MS) pausedUntil = now;
  tickedAt = now;
}

/** The timer may not have fired yet since a pause. */
function pausedSince(time: number): boolean {
  return pausedUntil > time || performance.now() - (tickedAt ?? Infinity) > MAX_PAUSE_MS;
}
