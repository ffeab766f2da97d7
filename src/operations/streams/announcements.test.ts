import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeAnnouncements, encodeAnnouncements } from "./announcements.ts";
import type { Announcement } from "./announcements.ts";

const event = fc.record({
  seq: fc.nat(),
  final: fc.boolean(),
  text: fc.jsonValue().map((value) => JSON.stringify({ value })),
});
const announcement = fc.uuid().chain((logId) =>
  fc.record({
    logId: fc.constant(logId),
    arrival: fc.oneof(fc.constant("grown" as const), fc.array(event, { minLength: 1, maxLength: 3 })),
  }),
);

test("sent announcements are parsed again, in payloads that PostgreSQL accepts", () => {
  const several = fc.uniqueArray(announcement, { minLength: 1, maxLength: 20, selector: ({ logId }) => logId });
  fc.assert(
    fc.property(several, (sent) => {
      const payloads = encodeAnnouncements(sent);
      for (const payload of payloads) expect(Buffer.byteLength(payload)).toBeLessThan(8_000);
      expect(joined(payloads.flatMap(decodeAnnouncements))).toEqual(sent);
    }),
  );
});

test("an announcement that is too long contains only the log's id", () => {
  const arrival = [{ seq: 1, final: false, text: JSON.stringify({ delta: "é".repeat(5_000) }) }];
  expect(encodeAnnouncements([{ logId: "one", arrival }])).toEqual(["one"]);
  const short = [{ seq: 1, final: false, text: JSON.stringify({ delta: "x".repeat(5_000) }) }];
  const many = Array.from({ length: 20 }, (_, index) => ({ logId: String(index), arrival: short }));
  expect(encodeAnnouncements(many)).toEqual([many.map(({ logId }) => logId).join("\n")]);
});

/** Merges a log's events from several payloads into one announcement. */
function joined(read: readonly Announcement[]): readonly Announcement[] {
  const logs = new Map<string, Announcement["arrival"]>();
  for (const { logId, arrival } of read) {
    const before = logs.get(logId) ?? [];
    logs.set(logId, before === "grown" || arrival === "grown" ? "grown" : [...before, ...arrival]);
  }
  return [...logs].map(([logId, arrival]) => ({ logId, arrival }));
}
