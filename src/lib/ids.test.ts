import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isUuid, newId } from "./ids.ts";

test("an id is a UUID of version 7 that holds its time", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 48 - 1 }), (now) => {
      const id = newId(now);
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(Number.parseInt(id.replace("-", "").slice(0, 12), 16)).toBe(now);
      expect(isUuid(id)).toBe(true);
    }),
  );
});

test("ids of one millisecond differ, and a later one sorts after an earlier one", () => {
  expect(new Set(Array.from({ length: 10_000 }, () => newId(5))).size).toBe(10_000);
  expect(newId(6) > newId(5)).toBe(true);
});

test("a UUID of any version in either case is one", () => {
  fc.assert(fc.property(fc.uuid(), (id) => isUuid(id) && isUuid(id.toUpperCase())));
});

test("nothing else is one", () => {
  const id = newId();
  for (const text of ["", "x", id.slice(1), `${id}0`, ` ${id}`, `${id}\n`, id.replaceAll("-", ""), `{${id}}`]) {
    expect([text, isUuid(text)]).toEqual([text, false]);
  }
});
