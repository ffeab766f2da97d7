import type { Context } from "hono";

/** Why a process should get no requests now. */
export type UnreadyReason = "starting" | "draining" | "database" | "schema" | "lease";

/** Answers /readyz: 200 when requests are welcome, 503 with the reasons when not. */
export function respondReadiness(c: Context, reasons: readonly UnreadyReason[]): Response {
  if (reasons.length === 0) return c.json({ status: "ready" });
  return c.json({ status: "unavailable", reasons }, 503, { "Retry-After": "2" });
}
