import { Gauge } from "@prometheus-io/client";
import { certificateEnd } from "#db/server-certificate.ts";
import type { MetricSources } from "./metrics.ts";

const HOUR_MS = 3_600_000;
/** Prometheus waits for 10 s by default, and other scrapers less. */
const ANSWER_MS = 1_500;
const MS_PER_SECOND = 1_000;

/** Creates the gauge of the database's certificate; it is not registered yet. */
export function certificateGauge(readCertificateEnd: MetricSources["readCertificateEnd"]): Gauge {
  return new Gauge({
    registers: [],
    name: "muster_database_certificate_end_seconds",
    help: "Unix time at which the certificate of the database's server ends; missing without TLS.",
    async collect() {
      const end = await readCertificateEnd();
      if (end === undefined) this.remove();
      else this.set(end.getTime() / MS_PER_SECOND);
    },
  });
}

/** Returns what reads the end of the certificate of a database's server, at most once an hour unless it fails. */
export function hourlyCertificateEnd(url: string | undefined): MetricSources["readCertificateEnd"] {
  let readAt = -Infinity;
  let end: Date | undefined;
  return async () => {
    if (url === undefined || performance.now() - readAt < HOUR_MS) return end;
    try {
      end = await certificateEnd(url, AbortSignal.timeout(ANSWER_MS));
      readAt = performance.now();
    } catch {
      end = undefined;
    }
    return end;
  };
}
