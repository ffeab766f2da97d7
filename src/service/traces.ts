import { VERSION } from "#domain/version.ts";
import { NO_TRACES, createSampler } from "#domain/traces/sampler.ts";
import type { TraceNewRun } from "#domain/traces/sampler.ts";
import type { TraceSettings } from "#engine/traces/trace-exporter.ts";
import type { SafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import { createOtlpClient } from "#protocols/otlp/otlp-client.ts";
import type { Config } from "#config/config.ts";

const PATH = "/v1/traces";

/** The URL to which traces are sent; undefined when they are not. */
export function tracesUrl(config: Config): string | undefined {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: whole, OTEL_EXPORTER_OTLP_ENDPOINT: base } = config;
  if (whole !== undefined || base === undefined) return whole;
  const url = new URL(base);
  url.pathname = url.pathname.replace(/\/$/, "") + PATH;
  return url.href;
}

/** Decides which new runs are traced: none without a receiver. */
export function traceSampler(config: Config): TraceNewRun {
  if (tracesUrl(config) === undefined) return NO_TRACES;
  return createSampler({ sampler: config.OTEL_TRACES_SAMPLER, ratio: config.OTEL_TRACES_SAMPLER_ARG });
}

/** How traces are exported; undefined without a receiver. @param fetch for URLs in the operator's settings */
export function traceSettings(config: Config, fetch: SafeFetch): TraceSettings | undefined {
  const url = tracesUrl(config);
  if (url === undefined) return undefined;
  const send = createOtlpClient(fetch, {
    url,
    headers: { ...config.OTEL_EXPORTER_OTLP_HEADERS, ...config.OTEL_EXPORTER_OTLP_TRACES_HEADERS },
    protocol: config.OTEL_EXPORTER_OTLP_PROTOCOL,
    timeoutMs: config.OTEL_EXPORTER_OTLP_TIMEOUT,
    resource: {
      "service.name": "muster",
      "service.version": VERSION,
      ...config.OTEL_RESOURCE_ATTRIBUTES,
      ...(config.OTEL_SERVICE_NAME !== undefined && { "service.name": config.OTEL_SERVICE_NAME }),
    },
    scope: { name: "muster", version: VERSION },
  });
  return { send, hasContents: config.TRACE_CONTENT === "on" };
}
