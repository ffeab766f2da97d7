import { Registry, collectDefaultMetrics } from "@prometheus-io/client";
import { certificateGauge } from "./certificate-gauge.ts";
import { countObservation, createCounters } from "./metric-counters.ts";
import { databaseMetrics } from "./database-metrics.ts";
import { processGauges } from "./process-gauges.ts";
import type { Metrics } from "./metrics.ts";

/** Standard metrics whose names `promtool check metrics` rejects. */
const MISNAMED = [
  "nodejs_active_handles_total",
  "nodejs_active_requests_total",
  "nodejs_active_resources_total",
  "nodejs_eventloop_utilization_histogram",
  "nodejs_eventloop_utilization_summary",
];

/** Creates metrics with Prometheus's library. Those of Node wake the process a hundred times a second. */
export function createPrometheusMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  const counters = createCounters([registry]);
  return {
    observe: (observation) => countObservation(counters, observation),
    connect(sources) {
      const certificate = certificateGauge(sources.readCertificateEnd);
      for (const metric of [...databaseMetrics(sources.readFigures), certificate, ...processGauges(sources)])
        registry.registerMetric(metric);
    },
    collect: async () => ({ text: await registry.metrics(), contentType: registry.contentType }),
  };
}
