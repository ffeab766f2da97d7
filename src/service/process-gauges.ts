import { Gauge } from "@prometheus-io/client";
import type { Registry } from "@prometheus-io/client";
import type { MetricSources } from "./metrics.ts";

/** Creates the gauges of this process; they are not registered yet. */
export function processGauges({
  poolUse,
  openStreams,
  activeJobs,
}: Pick<MetricSources, "poolUse" | "openStreams" | "activeJobs">): Gauge[] {
  const registers: Registry[] = [];
  return [
    new Gauge({
      registers,
      name: "muster_active_jobs",
      help: "Jobs that this process runs.",
      collect() {
        this.set(activeJobs());
      },
    }),
    new Gauge({
      registers,
      name: "muster_open_streams",
      help: "Event streams that are open in this process.",
      collect() {
        this.set(openStreams());
      },
    }),
    new Gauge({
      registers,
      name: "muster_database_connections",
      help: "Connections of this process's pools: busy, idle, and callers that are waiting for one.",
      labelNames: ["pool", "state"],
      collect() {
        for (const { pool, total, idle, waiting } of poolUse()) {
          this.set({ pool, state: "busy" }, total - idle);
          this.set({ pool, state: "idle" }, idle);
          this.set({ pool, state: "waiting" }, waiting);
        }
      },
    }),
  ];
}
