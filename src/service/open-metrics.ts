import type { Metrics } from "./metrics.ts";

/** For a process whose metrics cannot be read. */
const UNMEASURED: Metrics = {
  observe: () => undefined,
  connect: () => undefined,
  collect: async () => ({ text: "", contentType: "text/plain" }),
};

/**
 * Opens the metrics of this process: the service's own, with the prefix `muster_`, and those of Node.
 * @param isServed whether they can be read; otherwise nothing is measured, and the library is not loaded
 */
export async function openMetrics(isServed: boolean): Promise<Metrics> {
  if (!isServed) return UNMEASURED;
  const { createPrometheusMetrics } = await import("./prometheus-metrics.ts");
  return createPrometheusMetrics();
}
