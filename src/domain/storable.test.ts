import * as fc from "fast-check";
import { expect, test } from "vitest";
import { findUnstorable, storableJson } from "./storable.ts";

test("JSON of well-formed texts and finite numbers can be stored", () => {
  const text = fc.string({ unit: "grapheme" }).filter((s) => s !== "__proto__" && !s.includes("\0"));
  const json = fc.jsonValue({ maxDepth: 10 }).filter((value) => !/\\u|__proto__/.test(JSON.stringify(value)));
  fc.assert(
    fc.property(json, text, (value, s) => {
      expect(findUnstorable({ value, [s]: s })).toBeUndefined();
    }),
  );
});

const issues = [
  { value: { a: { b: ["x", "\0"] } }, path: "a.b.1", message: "U+0000" },
  { value: { a: "\udc00" }, path: "a", message: "surrogate" },
  { value: { a: { "\ud83d": 1 } }, path: "a", message: "surrogate" },
  { value: JSON.parse('{"a":[{"__proto__":1}]}'), path: "a.0", message: "__proto__" },
  { value: { a: [1, Number.POSITIVE_INFINITY] }, path: "a.1", message: "double" },
  { value: JSON.parse(`{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`), path: "a", message: "deeper than 64" },
];
for (const { value, path, message } of issues) {
  test(`the issue at ${path} is found: ${message}`, () => {
    expect(findUnstorable(value)).toEqual({ path, message: expect.stringContaining(message) });
  });
}

test("pairs of surrogates and 64 levels are allowed", () => {
  expect(findUnstorable({ "🛰️": "🛰️" })).toBeUndefined();
  expect(findUnstorable(JSON.parse(`${"[".repeat(64)}${"]".repeat(64)}`))).toBeUndefined();
});

test("JSON for storage holds neither U+0000 nor halves of pairs, and is otherwise the same", { tags: "slow" }, () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), (texts) => {
      const stored = JSON.parse(storableJson({ texts }));
      expect(stored).toEqual({ texts: texts.map((text) => text.replaceAll("\0", "\uFFFD").toWellFormed()) });
    }),
  );
  const literal = { text: String.raw`\u0000 \ud83d` };
  expect(JSON.parse(storableJson(literal))).toEqual(literal);
});
