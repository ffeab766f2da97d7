import * as fc from "fast-check";
import { expect, test } from "vitest";
import { AppError } from "#domain/errors.ts";
import { newId } from "#lib/ids.ts";
import { formatCursor, parseCursor } from "./cursor.ts";

const ID = "01940000-0000-7000-8000-000000000000";
const moment = fc.date({ min: new Date("0001-01-02"), max: new Date("9999-12-30"), noInvalidDate: true });
const micros = fc.integer({ min: 0, max: 999 }).map((n) => String(n).padStart(3, "0"));

test("an issued cursor is parsed to its original values", () => {
  fc.assert(
    fc.property(moment, micros, fc.boolean(), (date, rest, tied) => {
      const createdAt = date.toISOString().replace("Z", `${rest}Z`);
      const start = tied ? { createdAt, id: newId() } : { createdAt };
      expect(parseCursor(formatCursor(start))).toEqual(start);
    }),
  );
});

test("a time in any zone is the same instant in UTC", () => {
  const zone = fc.tuple(fc.constantFrom("+", "-"), fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }));
  fc.assert(
    fc.property(moment, zone, (date, [sign, hours, minutes]) => {
      const offset = (hours * 60 + minutes) * 60_000 * (sign === "+" ? 1 : -1);
      const local = new Date(date.getTime() + offset).toISOString();
      fc.pre(/^(?!0000)\d{4}-/.test(local));
      const pad = (n: number) => String(n).padStart(2, "0");
      const cursor = local.replace("Z", `${sign}${pad(hours)}:${pad(minutes)}`);
      expect(parseCursor(cursor).createdAt).toBe(date.toISOString().replace("Z", "000Z"));
    }),
  );
});

const read = [
  ["2026-11-30", "2026-11-30T00:00:00.000000Z"],
  ["2026-11-30T12:30", "2026-11-30T12:30:00.000000Z"],
  ["2026-11-30T12:30:15", "2026-11-30T12:30:15.000000Z"],
  ["2026-11-30T12:30:15.5z", "2026-11-30T12:30:15.500000Z"],
  ["2026-11-30T12:30:15,123456789Z", "2026-11-30T12:30:15.123456Z"],
  ["2026-11-30T12:30:15 02:00", "2026-11-30T10:30:15.000000Z"],
  ["2026-11-30T12:30:15+0200", "2026-11-30T10:30:15.000000Z"],
  ["2026-11-30T12:30:15-02", "2026-11-30T14:30:15.000000Z"],
  ["20261130T123015.5Z", "2026-11-30T12:30:15.500000Z"],
  ["20261130", "2026-11-30T00:00:00.000000Z"],
  ["2024-02-29", "2024-02-29T00:00:00.000000Z"],
] as const;
for (const [cursor, createdAt] of read) {
  test(`"${cursor}" is ${createdAt}`, () => {
    expect(parseCursor(cursor)).toEqual({ createdAt });
    expect(parseCursor(`${cursor}_${ID}`)).toEqual({ createdAt, id: ID });
  });
}

const refused = [
  "",
  "now",
  "1764500000",
  "2026-02-29",
  "2026-11-31T00:00:00Z",
  "2026-11-30T24:01:00Z",
  "2026-11-30T12",
  "2026-1130",
  "2026-11-30T12:3015",
  "2026-11-30T12:30.5",
  "0000-06-01",
  "10000-01-01",
  "9999-12-31T23:59:59-00:01",
  "2026-11-30_",
  "2026-11-30_x",
  `_${ID}`,
  `2026-11-30_${ID}_`,
  "2026-11-30T12:00:00Z; drop table tasks",
];
for (const cursor of refused) {
  test(`"${cursor}" is rejected with its path`, () => {
    expect(() => parseCursor(cursor)).toThrow(AppError);
    expect(() => parseCursor(cursor)).toThrow(
      expect.objectContaining({ code: "bad_request", details: [{ path: "cursor", message: expect.any(String) }] }),
    );
  });
}

test("any text is either a cursor in UTC or rejected", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      try {
        expect(parseCursor(text).createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
      }
    }),
  );
});
