import fc from "fast-check";
import { expect, test } from "vitest";
import { JsonSyntaxError, parseJson } from "./parse-json.ts";

function problemOf(text: string): string {
  try {
    parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.message;
    throw error;
  }
  throw new Error(`${text} is JSON.`);
}

test.each([
  ["", "it is empty"],
  [" \n", "it is empty"],
  ["sk-secret", "unexpected character; names and text need double quotes (line 1, column 1)"],
  ['{"a": 1,\n "b" 2}', "a colon is missing after the field name (line 2, column 6)"],
  ['{"a": 1\r\n "b": 2}', "a comma, ] or } is missing (line 2, column 2)"],
  ['{"a": 1,}', "a field name in double quotes is missing (line 1, column 9)"],
  ["[1,]", "a value is missing (line 1, column 4)"],
  ['{"a": [1, 2}', "a comma, ] or } is missing (line 1, column 12)"],
  ["[1, 2", "the closing ] is missing (line 1, column 6)"],
  ['{"a": 1', "the closing } is missing (line 1, column 8)"],
  ['{"a": 1}}', "there is more text after the end of the JSON value (line 1, column 9)"],
  ["{'a': 1}", "unexpected character; names and text need double quotes (line 1, column 2)"],
  ['{"a": "x\ny"}', "this text has no closing double quote on its line; write a line break as \\n (line 1, column 7)"],
  ['{"a": "\t"}', "this text contains a control character; write a tab as \\t (line 1, column 7)"],
  ['{"a": "\\x"}', 'a backslash in a text must be followed by one of " \\ / b f n r t u (line 1, column 7)'],
  ['{"a": "\\u12"}', "\\u in a text must be followed by four hexadecimal digits (line 1, column 7)"],
  ['{"a": 1.}', "this number is incomplete (line 1, column 7)"],
  ["// note\n{}", "JSON has no comments (line 1, column 1)"],
])("the problem of %j", (text, problem) => {
  expect(problemOf(text)).toBe(problem);
});

test("text that is nested deeper than the stack is rejected", () => {
  expect(problemOf("[".repeat(1_000_000))).toBe("it is not valid JSON");
});

test("every text that JSON.parse rejects has a problem with a position, without any of the text", () => {
  const broken = fc
    .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.constantFrom("", '"', "{", "]", ",", "\u0007", "zq", "\\", "."))
    .map(([text, at, inserted]) => {
      const place = at % (text.length + 1);
      return text.slice(0, place) + inserted + text.slice(place + (inserted === "" ? 1 : 0));
    })
    .filter((text) => text.trim() !== "" && !isJson(text));
  fc.assert(
    fc.property(broken, (text) => {
      expect(problemOf(text)).toMatch(/^[^\n]+ \(line \d+, column \d+\)$/);
    }),
  );
  expect(problemOf('{"api_key": sk-live-0123456789}')).not.toContain("sk-live");
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
