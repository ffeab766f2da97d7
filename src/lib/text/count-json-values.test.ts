import { expect, test } from "vitest";
import { countJsonValues } from "./count-json-values.ts";

test.each([
  ["1", 1],
  ["[1,2,3]", 4],
  ['{"a":[{}],"b":"x,y,[{"}', 5],
  [String.raw`["\"",1,"\\",2]`, 5],
  ['["no end, no end', 2],
])("%s has about %i values", (json, values) => {
  expect(countJsonValues(json, 100)).toBe(values);
});

test("counting stops at the limit", () => {
  expect(countJsonValues("[1,1,1,1,1,1]", 3)).toBe(4);
});
