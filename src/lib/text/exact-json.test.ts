import { expect, test } from "vitest";
import { parseExactly } from "./exact-json.ts";

test.each([
  '{"id":1198765432109876543}',
  "[-9007199254740993,9007199254740993]",
  '{"nested":{"list":[123456789012345678901234567890]},"text":"1198765432109876543"}',
  '{"small":1,"fraction":0.5,"large":9007199254740991,"none":null}',
])("the digits of %s stay", (text) => {
  expect(JSON.stringify(parseExactly(text))).toBe(text);
});

test("numbers that fit are numbers", () => {
  expect(parseExactly('{"a":9007199254740991,"b":1.5,"c":1e3}')).toEqual({ a: 9_007_199_254_740_991, b: 1.5, c: 1000 });
});

test("text that is no JSON is rejected", () => {
  expect(() => parseExactly("{")).toThrow(SyntaxError);
});
