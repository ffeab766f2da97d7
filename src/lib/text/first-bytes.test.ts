import { expect, test } from "vitest";
import { firstBytes } from "./first-bytes.ts";

test.each([
  ["", 4, ""],
  ["abc", 4, "abc"],
  ["abcde", 4, "abcd"],
  ["äöü", 4, "äö"],
  ["äöü", 5, "äö"],
  ["a😀b", 4, "a"],
  ["😀😀", 4, "😀"],
])("of %j fit into %i bytes %j", (text, max, expected) => {
  expect(firstBytes(text, max)).toBe(expected);
});
