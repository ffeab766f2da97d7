import type { AnyValue, ExportRequest, KeyValue, OtlpSpan } from "./export-request.ts";

// The numbers of fields are those of opentelemetry/proto/{collector/trace,trace,common,resource}/v1.

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

const BITS = 7;
const MORE = 0x80;

type Field = Uint8Array;

/** Writes a request as the protobuf message ExportTraceServiceRequest. */
export function encodeExportRequest({ resourceSpans }: ExportRequest): Uint8Array {
  return message(
    resourceSpans.map(({ resource, scopeSpans }) =>
      bytes(
        1,
        message([
          bytes(1, message(resource.attributes.map((attribute) => bytes(1, keyValue(attribute))))),
          ...scopeSpans.map(({ scope, spans }) =>
            bytes(
              2,
              message([
                bytes(1, message([text(1, scope.name), text(2, scope.version)])),
                ...spans.map((each) => bytes(2, span(each))),
              ]),
            ),
          ),
        ]),
      ),
    ),
  );
}

function span(sent: OtlpSpan): Uint8Array {
  const { traceId, spanId, parentSpanId, name, kind, attributes, events, status, flags } = sent;
  return message([
    bytes(1, Buffer.from(traceId, "hex")),
    bytes(2, Buffer.from(spanId, "hex")),
    ...(parentSpanId === undefined ? [] : [bytes(4, Buffer.from(parentSpanId, "hex"))]),
    text(5, name),
    varint(6, BigInt(kind)),
    fixed64(7, sent.startTimeUnixNano),
    fixed64(8, sent.endTimeUnixNano),
    ...attributes.map((attribute) => bytes(9, keyValue(attribute))),
    ...events.map((event) => bytes(11, message([fixed64(1, event.timeUnixNano), text(2, event.name)]))),
    ...(status === undefined ? [] : [bytes(15, message([text(2, status.message), varint(3, BigInt(status.code))]))]),
    fixed32(16, flags),
  ]);
}

function keyValue({ key, value }: KeyValue): Uint8Array {
  return message([text(1, key), bytes(2, anyValue(value))]);
}

function anyValue(value: AnyValue): Uint8Array {
  if ("stringValue" in value) return text(1, value.stringValue);
  if ("boolValue" in value) return varint(2, value.boolValue ? 1n : 0n);
  if ("intValue" in value) return varint(3, BigInt.asUintN(64, BigInt(value.intValue)));
  if ("doubleValue" in value) return double(4, value.doubleValue);
  return bytes(5, message(value.arrayValue.values.map((one) => bytes(1, anyValue(one)))));
}

function message(fields: readonly Field[]): Uint8Array {
  return Buffer.concat(fields);
}

function bytes(field: number, content: Uint8Array): Field {
  return Buffer.concat([key(field, BYTES), number(BigInt(content.length)), content]);
}

function text(field: number, content: string): Field {
  return bytes(field, Buffer.from(content));
}

function varint(field: number, value: bigint): Field {
  return Buffer.concat([key(field, VARINT), number(value)]);
}

function fixed64(field: number, value: string): Field {
  const buffer = Buffer.alloc(8);
  buffer.writeBigUInt64LE(BigInt(value));
  return Buffer.concat([key(field, FIXED64), buffer]);
}

function fixed32(field: number, value: number): Field {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32LE(value);
  return Buffer.concat([key(field, FIXED32), buffer]);
}

function double(field: number, value: number): Field {
  const buffer = Buffer.alloc(8);
  buffer.writeDoubleLE(value);
  return Buffer.concat([key(field, FIXED64), buffer]);
}

function key(field: number, type: number): Uint8Array {
  return number(BigInt(field * 8 + type));
}

/** A number in groups of seven bits, the lowest first. */
function number(value: bigint): Uint8Array {
  const groups: number[] = [];
  let rest = value;
  do {
    const group = Number(rest & 0x7fn);
    rest >>= BigInt(BITS);
    groups.push(rest > 0n ? group + MORE : group);
  } while (rest > 0n);
  return Uint8Array.from(groups);
}
