import { Registry } from "@prometheus-io/client";
import { z } from "zod";
import { certificateGauge } from "../src/service/certificate-gauge.ts";
import { databaseMetrics } from "../src/service/database-metrics.ts";
import { createCounters } from "../src/service/metric-counters.ts";
import { processGauges } from "../src/service/process-gauges.ts";
import { withTable } from "./with-table.ts";

const metrics = z.array(z.object({ name: z.string(), help: z.string(), labelNames: z.array(z.string()) }));

/** A page with the table of the service's own metrics brought up to date. @throws Error for a page without one. */
export function withMetricsTable(page: string): string {
  const registry = new Registry();
  createCounters([registry]);
  const none = () => Promise.reject(new Error("No value is read."));
  const gauges = processGauges({ poolUse: () => [], openStreams: () => 0, activeJobs: () => 0 });
  for (const metric of [...databaseMetrics(none), certificateGauge(none), ...gauges]) registry.registerMetric(metric);
  const rows = metrics.parse(registry.getMetricsAsArray()).map(({ name, help, labelNames }) => {
    return [`\`${name}\``, labelNames.map((label) => `\`${label}\``).join(", "), help.replace(/\.$/, "")];
  });
  return withTable(page, { header: ["Metric", "Labels", "Meaning"], rows });
}
