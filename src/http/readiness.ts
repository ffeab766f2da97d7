import type { Context } from "hono";

/** The reason why a process should receive no requests now. */
export type UnreadyReason = "starting" | "draining" | "database" | "schema" | "pooler" | "writer" | "lease";

/** Serves /readyz: 200 when the process is ready, else 503 with the reasons. */
export function respondReadiness(c: Context, reasons: readonly UnreadyReason[]): Response {
  if (reasons.length === 0) return c.json({ status: "ready" });
  return c.json({ status: "unavailable", reasons }, 503, { "Retry-After": "2" });
}
