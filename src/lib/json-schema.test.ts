import { expect, test } from "vitest";
import { UnusableSchema, compileSchema } from "./json-schema.ts";

const CITY = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object",
  properties: { city: { type: "string", minLength: 2 }, when: { type: "string", format: "date" } },
  required: ["city"],
  additionalProperties: false,
};

test.each([
  [{ city: "Bonn" }, []],
  [{ city: "Bonn", when: "2026-05-01" }, []],
  [{}, [{ path: "", message: "must have required property 'city'" }]],
  [{ city: 5 }, [{ path: "city", message: "must be string" }]],
  [{ city: "B" }, [{ path: "city", message: "must NOT have fewer than 2 characters" }]],
  [{ city: "Bonn", when: "tomorrow" }, [{ path: "when", message: 'must match format "date"' }]],
  [{ city: "Bonn", colour: "red" }, [{ path: "", message: "unknown field colour" }]],
])("%j has the faults %j", (value, faults) => {
  expect(compileSchema(CITY)(value)).toEqual(faults);
});

test("properties that every object of JavaScript has count only when they were given", () => {
  expect(compileSchema({ type: "object", properties: { constructor: { type: "string" } } })({})).toEqual([]);
  expect(compileSchema({ type: "object", required: ["constructor"] })({})).toMatchObject([{ path: "" }]);
});

test.each([
  { type: "object", properties: { a: { type: "nothing" } } },
  { $ref: "https://elsewhere.example/schema.json" },
  { type: "object", properties: { a: { type: "string", pattern: "(" } } },
])("%j cannot be used", (schema) => {
  expect(() => compileSchema(schema)).toThrow(UnusableSchema);
});

test("a pattern that never ends is broken off", () => {
  const check = compileSchema({ type: "object", properties: { a: { type: "string", pattern: "^(a+)+$" } } });
  expect(check({ a: `${"a".repeat(60)}!` })).toEqual([{ path: "", message: expect.stringMatching(/too long/) }]);
  expect(check({ a: "aaa" })).toEqual([]);
});

test("a schema that multiplies itself is broken off", () => {
  const steps = Array.from({ length: 40 }, (_, step) => [
    `s${step}`,
    { allOf: [{ $ref: `#/$defs/s${step + 1}` }, { $ref: `#/$defs/s${step + 1}` }] },
  ]);
  const $defs = { ...Object.fromEntries(steps), s40: { type: "object" } };
  const run = () => compileSchema({ $ref: "#/$defs/s0", $defs })({});
  expect(() => {
    expect(run()).toEqual([{ path: "", message: expect.stringMatching(/too long/) }]);
  }).not.toThrow();
});

test("a schema may refer to itself; one that does nothing else fails its check and no more", () => {
  const tree = { type: "object", properties: { children: { type: "array", items: { $ref: "#" } } } };
  expect(compileSchema(tree)({ children: [{ children: [] }] })).toEqual([]);
  expect(compileSchema(tree)({ children: [{ children: 1 }] })).toMatchObject([{ path: "children.0.children" }]);
  expect(compileSchema({ $ref: "#" })({})).toEqual([{ path: "", message: expect.stringMatching(/fails/) }]);
});
