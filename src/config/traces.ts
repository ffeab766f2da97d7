import { z } from "zod";
import { SAMPLERS } from "#domain/traces/sampler.ts";

const PROTOCOLS = ["http/protobuf", "http/json"] as const;
const NAME = /^[^\s=]+$/;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e]*$/;

const receiverUrl = z
  .url({
    protocol: /^https?$/,
    hostname: /./,
    error: "must be an http or https URL of a receiver of OTLP over HTTP, such as http://localhost:4318",
  })
  .refine((url) => URL.parse(url)?.username === "", "must have no user name: send credentials in a header");

/** A list such as `key=value,other=value`, with values in percent-encoding, as OpenTelemetry's settings have. */
const pairs = z
  .string()
  .default("")
  .transform((text, context): Readonly<Record<string, string>> => {
    const read = text.split(",").flatMap((pair) => (pair.trim() === "" ? [] : [readPair(pair)]));
    if (read.every((pair) => pair !== undefined)) return Object.fromEntries(read);
    context.addIssue({ code: "custom", message: "must be key=value,key=value with values in percent-encoding" });
    return z.NEVER;
  });

/** Headers; the issue does not quote them, because they hold keys. */
const headers = pairs
  .transform((read) => Object.fromEntries(Object.entries(read).map(([name, value]) => [name.toLowerCase(), value])))
  .refine(
    (read) => Object.entries(read).every(([name, value]) => HEADER_NAME.test(name) && HEADER_VALUE.test(value)),
    "must have names and values that a header may have",
  );

/** Where traces go, and which. The names are OpenTelemetry's; the last one is ours. */
export const traces = z.object({
  OTEL_EXPORTER_OTLP_ENDPOINT: receiverUrl
    .optional()
    .describe("URL of a receiver of OpenTelemetry traces, to which /v1/traces is added; without it nothing is traced."),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: receiverUrl
    .optional()
    .describe("The whole URL, in place of OTEL_EXPORTER_OTLP_ENDPOINT."),
  OTEL_EXPORTER_OTLP_HEADERS: headers.describe("Headers of each request: name=value,name=value."),
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: headers.describe("More of them; they win over the ones before."),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .enum(PROTOCOLS)
    .default("http/protobuf")
    .describe("http/protobuf or http/json; there is no gRPC."),
  OTEL_EXPORTER_OTLP_TIMEOUT: z.coerce
    .number()
    .int()
    .min(1)
    .max(30_000)
    .default(10_000)
    .describe("Milliseconds that a request may take, at most 30000."),
  OTEL_SERVICE_NAME: z.string().min(1).optional().describe("The resource attribute service.name; default: muster."),
  OTEL_RESOURCE_ATTRIBUTES: pairs.describe("More resource attributes: name=value,name=value."),
  OTEL_TRACES_SAMPLER: z
    .enum(SAMPLERS)
    .default("parentbased_always_on")
    .describe(
      "Which runs are traced. parentbased: as the request that creates the run says, and by the rest without one.",
    ),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe("The part of the runs that a traceidratio traces, from 0 to 1."),
  TRACE_CONTENT: z
    .enum(["on", "off"])
    .default("off")
    .describe("on: spans contain prompts, replies, and the arguments and results of tools."),
});

function readPair(pair: string): readonly [string, string] | undefined {
  const [name = "", ...rest] = pair.split("=").map((part) => part.trim());
  if (!NAME.test(name) || rest.length === 0) return undefined;
  try {
    return [name, decodeURIComponent(rest.join("="))];
  } catch {
    return undefined;
  }
}
