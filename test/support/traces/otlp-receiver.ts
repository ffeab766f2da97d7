import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingHttpHeaders, ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { createRequire } from "node:module";
import { z } from "zod";
import { eventually } from "../eventually.ts";

/** A message of OpenTelemetry's definitions, as protobufjs generates it. */
interface Message {
  decode(body: Uint8Array): object;
  fromObject(body: object): object;
  toObject(message: object, options: object): unknown;
  encode(message: object): { finish(): Uint8Array };
}

const definitions = z.object({
  opentelemetry: z.object({
    proto: z.object({
      collector: z.object({
        trace: z.object({
          v1: z.object({
            ExportTraceServiceRequest: z.custom<Message>(),
            ExportTraceServiceResponse: z.custom<Message>(),
          }),
        }),
      }),
    }),
  }),
});

// The package exports only what writes requests. Its types do not describe this file.
const require = createRequire(import.meta.url);
const { ExportTraceServiceRequest, ExportTraceServiceResponse } = definitions.parse(
  require("@opentelemetry/otlp-transformer/build/src/generated/root.js"),
).opentelemetry.proto.collector.trace.v1;

const hex = z.string().transform((base64) => Buffer.from(base64, "base64").toString("hex"));
const value = z.union([
  z.strictObject({ stringValue: z.string() }).transform((one) => one.stringValue),
  z.strictObject({ boolValue: z.boolean() }).transform((one) => one.boolValue),
  z.strictObject({ intValue: z.string() }).transform((one) => Number(one.intValue)),
  z.strictObject({ doubleValue: z.number() }).transform((one) => one.doubleValue),
  z
    .strictObject({ arrayValue: z.strictObject({ values: z.array(z.strictObject({ stringValue: z.string() })) }) })
    .transform((one) => one.arrayValue.values.map(({ stringValue }) => stringValue)),
]);
const attributes = z
  .array(z.strictObject({ key: z.string().min(1), value }))
  .default([])
  .transform((pairs) => Object.fromEntries(pairs.map((pair) => [pair.key, pair.value])));
const time = z.string().regex(/^\d{19}$/);

const span = z.strictObject({
  traceId: hex.pipe(z.string().regex(/^(?!0{32})[0-9a-f]{32}$/)),
  spanId: hex.pipe(z.string().regex(/^(?!0{16})[0-9a-f]{16}$/)),
  parentSpanId: hex.pipe(z.string().regex(/^(?!0{16})[0-9a-f]{16}$/)).optional(),
  flags: z.literal(1),
  name: z.string().min(1),
  kind: z.enum(["SPAN_KIND_INTERNAL", "SPAN_KIND_CLIENT"]),
  startTimeUnixNano: time,
  endTimeUnixNano: time,
  attributes,
  events: z.array(z.strictObject({ timeUnixNano: time, name: z.string().min(1) })).default([]),
  status: z.strictObject({ code: z.literal("STATUS_CODE_ERROR"), message: z.string().min(1) }).optional(),
});

const request = z.strictObject({
  resourceSpans: z
    .array(
      z.strictObject({
        resource: z.strictObject({ attributes }),
        scopeSpans: z
          .array(
            z.strictObject({
              scope: z.strictObject({ name: z.string().min(1), version: z.string().min(1) }),
              spans: z.array(span).min(1),
            }),
          )
          .length(1),
      }),
    )
    .length(1),
});

/** A span that a receiver got. */
export type ReceivedSpan = z.output<typeof span>;

/** A request that a receiver got, decoded by OpenTelemetry's own definitions. */
export interface ReceivedExport {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly resource: Readonly<Record<string, unknown>>;
  readonly spans: readonly ReceivedSpan[];
}

/** How a receiver responds; `hang` leaves the request open. */
export type ReceiverAnswer =
  | "hang"
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly rejectedSpans?: number };

/** A receiver of OTLP over HTTP on loopback. */
export interface OtlpReceiver {
  readonly url: string;
  /** All requests, also those that it did not accept. */
  readonly requests: readonly ReceivedExport[];
  /** The spans of a trace in the requests that it accepted. */
  spansOf(traceId: string): readonly ReceivedSpan[];
  /** Waits for spans of a trace. */
  until(traceId: string, isEnough: (spans: readonly ReceivedSpan[]) => boolean): Promise<readonly ReceivedSpan[]>;
  /** Sets the answers from now on, by the request. */
  answerWith(answer: (received: ReceivedExport) => ReceiverAnswer): void;
  close(): Promise<void>;
}

/** Starts a receiver that accepts everything that the protocol allows. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const requests: ReceivedExport[] = [];
  const accepted: ReceivedSpan[] = [];
  let answer: (received: ReceivedExport) => ReceiverAnswer = () => ({ status: 200 });
  const server = createServer(async (incoming, response) => {
    const isJson = incoming.headers["content-type"] === "application/json";
    const body = await buffer(incoming);
    const [first] = request.parse(isJson ? fromJson(body) : fromProtobuf(body)).resourceSpans;
    const received = {
      path: incoming.url ?? "",
      headers: incoming.headers,
      resource: first?.resource.attributes ?? {},
      spans: first?.scopeSpans.flatMap(({ spans }) => spans) ?? [],
    };
    requests.push(received);
    const given = answer(received);
    if (given === "hang") return;
    if (given.status === 200) accepted.push(...received.spans);
    respond(response, given, isJson);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A server on loopback has a port.");
  const spansOf = (traceId: string) => accepted.filter((one) => one.traceId === traceId);
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    spansOf,
    until: (traceId, isEnough) =>
      eventually(`the spans of trace ${traceId}`, () => {
        const spans = spansOf(traceId);
        return Promise.resolve(isEnough(spans) && spans);
      }),
    answerWith: (next) => void (answer = next),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function respond(response: ServerResponse, given: Exclude<ReceiverAnswer, "hang">, isJson: boolean): void {
  const { status, headers = {}, rejectedSpans } = given;
  const partialSuccess = rejectedSpans === undefined ? undefined : { rejectedSpans, errorMessage: "too old" };
  const message = { ...(partialSuccess !== undefined && { partialSuccess }) };
  response.writeHead(status, { ...headers, "content-type": isJson ? "application/json" : "application/x-protobuf" });
  if (isJson) response.end(JSON.stringify(message));
  else response.end(ExportTraceServiceResponse.encode(message).finish());
}

const AS_JSON = { bytes: String, longs: String, enums: String } as const;

function fromProtobuf(body: Uint8Array): unknown {
  return ExportTraceServiceRequest.toObject(ExportTraceServiceRequest.decode(body), AS_JSON);
}

/** In JSON, OTLP writes ids in hex, where the mapping of protobuf has base64. */
function fromJson(body: Uint8Array): unknown {
  const ids = new Set(["traceId", "spanId", "parentSpanId"]);
  const parsed: unknown = JSON.parse(Buffer.from(body).toString(), (key, one: unknown) =>
    ids.has(key) && typeof one === "string" ? Buffer.from(one, "hex").toString("base64") : one,
  );
  if (typeof parsed !== "object" || parsed === null) throw new Error("A request is an object.");
  return ExportTraceServiceRequest.toObject(ExportTraceServiceRequest.fromObject({ ...parsed }), AS_JSON);
}
