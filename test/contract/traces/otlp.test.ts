import { afterAll, beforeAll, expect } from "vitest";
import type { Span } from "#domain/traces/span.ts";
import { createProxies } from "#lib/safe-fetch/proxies.ts";
import { createSafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import { createOtlpClient } from "#protocols/otlp/otlp-client.ts";
import { startOtlpReceiver } from "../../support/traces/otlp-receiver.ts";
import type { OtlpReceiver } from "../../support/traces/otlp-receiver.ts";
import { verifies } from "../../support/verifies.ts";

let receiver: OtlpReceiver;

beforeAll(async () => {
  receiver = await startOtlpReceiver();
});
afterAll(() => receiver.close());

const PLAIN = { text: "ä 𝄞".repeat(100), empty: "", yes: true, no: false, list: ["a", "b"] };

const SPAN: Span = {
  traceId: "0af7651916cd43dd8448eb211c80319c",
  spanId: "b7ad6b7169203331",
  parentId: "00f067aa0ba902b7",
  name: "chat gpt-4o – ✓",
  kind: "client",
  startedAt: 1_795_915_001_712,
  endedAt: 1_795_915_001_732.6,
  attributes: {
    ...PLAIN,
    small: { int: 0 },
    negative: { int: -1 },
    large: { int: Number.MAX_SAFE_INTEGER },
    half: { double: 0.5 },
    whole: { double: 2 },
    absent: undefined,
  },
  events: [{ name: "muster.try_failed", at: 1_795_915_001_720 }],
  error: "RATE_LIMITED",
};

verifies("traces.otlp.same", "both encodings hold the same request", async () => {
  const fetch = createSafeFetch({ reach: "anywhere", proxies: createProxies({}) });
  for (const protocol of ["http/json", "http/protobuf"] as const) {
    const send = createOtlpClient(fetch, {
      url: receiver.url,
      headers: {},
      protocol,
      timeoutMs: 10_000,
      resource: { "service.name": "muster" },
      scope: { name: "muster", version: "1" },
    });
    const { signal } = new AbortController();
    receiver.answerWith(() => ({ status: 200 }));
    expect(await send([SPAN, { ...SPAN, error: undefined }], signal)).toEqual({ type: "taken", rejected: 0 });
    receiver.answerWith(() => ({ status: 200, rejectedSpans: 300 }));
    expect(await send([SPAN], signal)).toEqual({ type: "taken", rejected: 300 });
  }
  const [json, , protobuf] = receiver.requests;
  expect(protobuf?.spans).toEqual(json?.spans);
  expect(protobuf?.resource).toEqual(json?.resource);
  expect(json?.spans[0]).toMatchObject({
    traceId: SPAN.traceId,
    spanId: SPAN.spanId,
    parentSpanId: SPAN.parentId,
    startTimeUnixNano: "1795915001712000000",
    endTimeUnixNano: "1795915001733000000",
    attributes: { ...PLAIN, small: 0, negative: -1, large: Number.MAX_SAFE_INTEGER, half: 0.5, whole: 2 },
    status: { message: "RATE_LIMITED" },
  });
  expect(json?.spans[1]?.status).toBeUndefined();
});
