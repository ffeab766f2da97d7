import type { AttributeValue, Attributes, Span } from "#domain/traces/span.ts";

// OTLP 1.x (https://opentelemetry.io/docs/specs/otlp/): the message ExportTraceServiceRequest in the mapping to JSON.
// Only the fields that we fill are declared; `protobuf.ts` writes the same message as bytes.

/** A message with a value of one kind. */
export type AnyValue =
  | { readonly stringValue: string }
  | { readonly boolValue: boolean }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly arrayValue: { readonly values: readonly AnyValue[] } };

/** An attribute. */
export interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}

/** A span as it is sent; times are in nanoseconds. */
export interface OtlpSpan {
  /** Hex, as are the other two ids. */
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly flags: number;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly KeyValue[];
  readonly events: readonly { readonly timeUnixNano: string; readonly name: string }[];
  readonly status?: { readonly code: number; readonly message: string };
}

/** The request. */
export interface ExportRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly KeyValue[] };
    readonly scopeSpans: readonly {
      readonly scope: { readonly name: string; readonly version: string };
      readonly spans: readonly OtlpSpan[];
    }[];
  }[];
}

/** Who sends the spans. */
export interface Sender {
  readonly resource: Attributes;
  readonly scope: { readonly name: string; readonly version: string };
}

const KINDS = { internal: 1, client: 3 } as const;
const STATUS_ERROR = 2;
/** The parent is a span of the same trace, and sampled (bit 0). */
const SAMPLED = 1;

/** Writes spans as one request. */
export function exportRequest({ resource, scope }: Sender, spans: readonly Span[]): ExportRequest {
  return {
    resourceSpans: [
      { resource: { attributes: keyValues(resource) }, scopeSpans: [{ scope, spans: spans.map(otlpSpan) }] },
    ],
  };
}

function otlpSpan(span: Span): OtlpSpan {
  const { traceId, spanId, parentId, name, kind, attributes, events, error } = span;
  return {
    traceId,
    spanId,
    ...(parentId !== undefined && { parentSpanId: parentId }),
    flags: SAMPLED,
    name,
    kind: KINDS[kind],
    startTimeUnixNano: nanoseconds(span.startedAt),
    endTimeUnixNano: nanoseconds(span.endedAt),
    attributes: keyValues(attributes),
    events: events.map((event) => ({ timeUnixNano: nanoseconds(event.at), name: event.name })),
    ...(error !== undefined && { status: { code: STATUS_ERROR, message: error } }),
  };
}

function nanoseconds(ms: number): string {
  return `${Math.round(ms)}000000`;
}

function keyValues(attributes: Attributes): KeyValue[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  );
}

function anyValue(value: AttributeValue): AnyValue {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if ("int" in value) return { intValue: String(value.int) };
  if ("double" in value) return { doubleValue: value.double };
  return { arrayValue: { values: value.map((text) => ({ stringValue: text })) } };
}
