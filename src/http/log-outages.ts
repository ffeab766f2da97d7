import type { Logger } from "pino";
import type { AppError } from "#domain/errors.ts";
import { codeOf } from "#lib/error-code.ts";

/** How long requests that fail for one reason share a line of the log, in milliseconds. */
const QUIET_MS = 10_000;

/** A request that failed. */
interface FailedRequest {
  readonly requestId: string;
  readonly workspaceId: string | undefined;
  readonly path: string;
}

/**
 * Creates the log of outages: one line for the first request that fails for a reason, then one in ten seconds, with how
 * many were `unlogged` between. There is no stack: it would be the same for each, and the fault is elsewhere.
 */
export function createOutageLog(log: Logger): (error: AppError, request: FailedRequest) => void {
  const lines = new Map<string, { readonly at: number; unlogged: number }>();
  return ({ message, cause }, request) => {
    const now = performance.now();
    const last = lines.get(message);
    if (last !== undefined && now - last.at < QUIET_MS) {
      last.unlogged += 1;
      return;
    }
    lines.set(message, { at: now, unlogged: 0 });
    const unlogged = last?.unlogged ?? 0;
    log.warn({ ...request, reason: reasonOf(cause), ...(unlogged > 0 && { unlogged }) }, message);
  };
}

function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  // Node joins the attempts at several addresses without a message.
  const message =
    cause instanceof AggregateError && cause.message === "" ? cause.errors.map(reasonOf).join("; ") : cause.message;
  const code = codeOf(cause);
  return code === "" ? message : `${code}: ${message}`;
}
