import { createProxies } from "#lib/safe-fetch/proxies.ts";
import { createSafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import { proxySettings } from "../../settings.ts";
import { traceSettings } from "../../traces.ts";
import { ok, warning } from "../define-check.ts";
import type { Check } from "../define-check.ts";

/** Whether the receiver of traces takes a request, without any span. */
export const traces: Check = {
  name: "traces",
  of: "machine",
  async run(config) {
    const proxies = createProxies(proxySettings(config));
    const settings = traceSettings(config, createSafeFetch({ reach: "anywhere", proxies }));
    if (settings === undefined) return ok("Traces are off.");
    const outcome = await settings.send([], new AbortController().signal);
    if (outcome.type === "taken") return ok("The receiver of traces takes them.");
    return warning(
      `The receiver of traces takes none: ${outcome.reason.replace(/\.$/, "")}.`,
      "Look at OTEL_EXPORTER_OTLP_ENDPOINT, at its headers, and at the network between them.",
    );
  },
};
