import type { AttemptOutcome } from "#destinations/delivery/attempt-delivery.ts";

/** An attempt that sends nothing, because the question has been closed. */
export function notNeeded(reason = "the question is closed"): AttemptOutcome {
  return { ...failedAttempt(""), status: "success", error: null, response: `Not sent: ${reason}.` };
}

/** An attempt that failed before anything was sent and is not retried. */
export function failedAttempt(error: string): AttemptOutcome {
  return {
    status: "failed",
    httpCode: null,
    error,
    request: "",
    response: "",
    startedAt: new Date(),
    durationMs: 0,
    isFinal: true,
    hasTimedOut: false,
    waitMs: null,
  };
}
