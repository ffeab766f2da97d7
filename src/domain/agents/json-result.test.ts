import { expect, test } from "vitest";
import { invalidResult, readJsonReply, repairNotice } from "./json-result.ts";

test.each([
  ['{"a":1}', '{"a":1}'],
  [' \n{"b": 1198765432109876543, "a": 2}\n', '{"b": 1198765432109876543, "a": 2}'],
  ['```json\n{"a": 1}\n```', '{"a": 1}'],
  ["Here it is:\n\n```\n[1,\n2]\n  ```\nDone.", "[1,\n2]"],
  ['{"code": "```js\\n1\\n```"}', '{"code": "```js\\n1\\n```"}'],
  ['"text"', '"text"'],
])("the JSON of %j is %j", (reply, text) => {
  expect(readJsonReply(reply)).toEqual({ text, value: JSON.parse(text) });
});

test.each([
  ["", "is not JSON: it is empty"],
  ["Yes.", "is not JSON: unexpected character"],
  ['{"a": 1', "is not JSON: "],
  ["```json\n{}\n```\nor\n```json\n[]\n```", "is not JSON: unexpected character"],
])("%j has no JSON", (reply, fault) => {
  expect(readJsonReply(reply)).toEqual({ fault: expect.stringContaining(fault) });
});

test("the notice and the error name the paths, at most ten of them", () => {
  const issues = [
    { path: "items.0.price", message: "must be number" },
    { path: "", message: "must have required property 'total'" },
  ];
  expect(repairNotice(issues)).toContain(
    "\nitems.0.price must be number\nthe result must have required property 'total'\n",
  );
  expect(invalidResult("gpt-9", issues)).toBe(
    "The result of gpt-9 does not satisfy the agent's output schema: items.0.price must be number; the result must have required property 'total'.",
  );
  const many = Array.from({ length: 12 }, (_, index) => ({ path: `a.${index}`, message: "must be string" }));
  expect(invalidResult("gpt-9", many)).toMatch(/a\.9 must be string; and 2 more\.$/);
});
