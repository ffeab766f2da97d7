import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "./canonical-json.ts";

test("the order in which keys were written makes no difference, at any depth", () => {
  expect(canonicalJson({ b: [{ d: 1, c: 2 }], a: null })).toBe(canonicalJson({ a: null, b: [{ c: 2, d: 1 }] }));
  expect(canonicalJson({ b: 1, a: 2 })).toBe('{"a":2,"b":1}');
});

test("what is written is the value itself", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
