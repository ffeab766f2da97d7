import type { Context } from "hono";

/** The reason why a process should receive no requests now. */
export type UnreadyReason = "starting" | "draining" | "database" | "schema" | "pooler" | "writer" | "lease";

/**
 * Serves /readyz: 200 when the process is ready, else 503 with the reasons.
 * @param isHeld whether it serves reads only
 */
export function respondReadiness(c: Context, reasons: readonly UnreadyReason[], isHeld = false): Response {
  if (reasons.length === 0) return c.json({ status: isHeld ? "held" : "ready" });
  return c.json({ status: "unavailable", reasons }, 503, { "Retry-After": "2" });
}
