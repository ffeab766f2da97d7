import { describe, expect, test } from "vitest";
import { newId } from "#lib/ids.ts";
import { createSampler } from "./sampler.ts";
import { parseTraceparent, readStoredTrace, traceparentOf } from "./trace-context.ts";

const RUN = "01a224e0-2f30-7fd5-befa-b666b7647469";
const TRACE = "0af7651916cd43dd8448eb211c80319c";
const SPAN = "b7ad6b7169203331";
const sampled = `00-${TRACE}-${SPAN}-01`;
const unsampled = `00-${TRACE}-${SPAN}-00`;

describe("a sampler", () => {
  test.each([
    ["parentbased_always_on", 1, undefined, `00-${RUN.replaceAll("-", "")}-0000000000000000-01`],
    ["parentbased_always_on", 1, unsampled, unsampled],
    ["parentbased_always_off", 1, undefined, null],
    ["parentbased_always_off", 1, sampled, sampled],
    ["parentbased_traceidratio", 0, undefined, null],
    ["parentbased_traceidratio", 0, sampled, sampled],
    ["always_on", 0, unsampled, sampled],
    ["always_off", 1, sampled, unsampled],
    ["traceidratio", 0, sampled, unsampled],
    ["traceidratio", 1, unsampled, sampled],
  ] as const)("%s with %d and the parent %s gives %s", (sampler, ratio, parent, expected) => {
    expect(createSampler({ sampler, ratio })(RUN, parent)).toBe(expected);
  });

  test("a ratio takes its part of the runs, the same in each process", () => {
    const ids = Array.from({ length: 4_000 }, () => newId());
    const one = createSampler({ sampler: "parentbased_traceidratio", ratio: 0.1 });
    const other = createSampler({ sampler: "parentbased_traceidratio", ratio: 0.1 });
    const taken = ids.filter((id) => one(id) !== null);
    expect(taken).toEqual(ids.filter((id) => other(id) !== null));
    // Ten standard deviations.
    expect(Math.abs(taken.length - 400)).toBeLessThan(190);
  });
});

describe("a traceparent", () => {
  test.each([
    ["sampled", sampled, { traceId: TRACE, parentId: SPAN, isSampled: true }],
    ["of a later version", `cc-${TRACE}-${SPAN}-03-more`, { traceId: TRACE, parentId: SPAN, isSampled: true }],
    ["without a span", `00-${TRACE}-${"0".repeat(16)}-01`, undefined],
    ["without a trace", `00-${"0".repeat(32)}-${SPAN}-01`, undefined],
    ["of version ff", `ff-${TRACE}-${SPAN}-01`, undefined],
    ["of version 00 with more", `${sampled}-more`, undefined],
    ["in upper case", sampled.toUpperCase(), undefined],
    ["no text", 7, undefined],
  ])("%s is read", (_name, given, expected) => {
    expect(parseTraceparent(given)).toEqual(expected);
  });

  test("of a step has the step's span, if the run is sampled", () => {
    const attempt = { logId: RUN, attempt: 1 };
    const root = `00-${TRACE}-${"0".repeat(16)}-01`;
    expect(readStoredTrace(root)).toEqual({ traceId: TRACE, isSampled: true });
    expect(traceparentOf(root, attempt, "tool:1")).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
    expect(traceparentOf(root, attempt, "tool:1")).not.toBe(traceparentOf(root, attempt, "tool:2"));
    expect(traceparentOf(unsampled, attempt, "tool:1")).toBe(unsampled);
    expect(traceparentOf(null, attempt, "tool:1")).toBeUndefined();
  });
});
