import { expect, test } from "vitest";
import { paramHeaders, readHeaderParams } from "./param-headers.ts";

const param = (header: unknown, more: object = {}) => ({ type: "string", "x-mcp-header": header, ...more });
const of = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });

test("annotated arguments are sent as headers, at any depth, and only those that are given", () => {
  const schema = of({
    a: param("A"),
    n: param("N", { type: "integer" }),
    b: of({ c: param("C", { type: "boolean" }) }),
  });
  expect(paramHeaders(schema, { a: "x y", n: 7, b: { c: false } })).toEqual({
    "Mcp-Param-A": "x y",
    "Mcp-Param-N": "7",
    "Mcp-Param-C": "false",
  });
  expect(paramHeaders(schema, { a: null, n: 1.5, b: 1 })).toEqual({});
  for (const [value, sent] of [
    ["", "=?base64??="],
    [" x", "=?base64?IHg=?="],
    ["a\nb", "=?base64?YQpi?="],
    ["=?base64?eA==?=", "=?base64?PT9iYXNlNjQ/ZUE9PT89?="],
  ]) {
    expect(paramHeaders(of({ a: param("A") }), { a: value })).toEqual({ "Mcp-Param-A": sent });
  }
});

test.each([
  [of({ a: param("") }), /of a is not the name/],
  [of({ a: param("no name") }), /of a is not the name/],
  [of({ a: param(7) }), /of a is not the name/],
  [of({ a: param("A", { type: "number" }) }), /of a is at a parameter that is no string/],
  [of({ a: param("A", { type: "object" }) }), /no string/],
  [of({ a: param("Same"), b: param("same") }), /of b is the header of two/],
  [of({ a: { type: "array", items: param("A") } }), /is not at a parameter of its own/],
  [of({}, { anyOf: [of({ a: param("A") })] }), /is not at a parameter of its own/],
  [of({}, { $defs: { a: param("A") } }), /is not at a parameter of its own/],
  [param("A"), /of the whole input is not/],
])("%j is broken", (schema, why) => {
  expect(readHeaderParams(schema)).toEqual({ issue: expect.stringMatching(why) });
});

test("values that look like annotations are none", () => {
  const data = { default: { "x-mcp-header": "no name" }, enum: [{ "x-mcp-header": 1 }] };
  expect(readHeaderParams(of({ a: { type: "object", ...data } }))).toEqual({ params: [] });
});
