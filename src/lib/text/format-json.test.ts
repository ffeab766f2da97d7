import { expect, test } from "vitest";
import { formatJson } from "./format-json.ts";

test.each([
  ['{"a":[1,{"b":null}],"c":"x"}', '{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ],\n  "c": "x"\n}'],
  ["[]", "[]"],
  ['"x"', '"x"'],
  ["12345678901234567890.10", "12345678901234567890.10"],
  ['{"id":9007199254740993}', '{\n  "id": 9007199254740993\n}'],
])("%s", (text, expected) => {
  expect(formatJson(text)).toBe(expected);
});

test("JSON that is nested too deeply stays unchanged", () => {
  const deep = "[".repeat(100_000) + "]".repeat(100_000);
  expect(formatJson(deep)).toBe(deep);
});

test("text that is not JSON is rejected", () => {
  expect(() => formatJson("{")).toThrow(SyntaxError);
});
