import { expect, test } from "vitest";
import { compileSchema, usablePart } from "./compile-schema.ts";
import { UnusableSchemaError } from "./unusable-schema-error.ts";

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
])("%j has the issues %j", (value, issues) => {
  expect(compileSchema(CITY)(value)).toEqual(issues);
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
  expect(() => compileSchema(schema)).toThrow(UnusableSchemaError);
});

test("a schema may refer to itself; one that does nothing else fails its check and no more", () => {
  const tree = { type: "object", properties: { children: { type: "array", items: { $ref: "#" } } } };
  expect(compileSchema(tree)({ children: [{ children: [] }] })).toEqual([]);
  expect(compileSchema(tree)({ children: [{ children: 1 }] })).toMatchObject([{ path: "children.0.children" }]);
  expect(compileSchema({ $ref: "#" })({})).toEqual([{ path: "", message: expect.stringMatching(/fails/) }]);
});

const withField = (field: object) => ({ type: "object", properties: { a: { type: "string" }, b: field } });

test.each([
  [
    { type: "string", pattern: "^(?i)abc$", maxLength: 5 },
    { type: "string", maxLength: 5 },
  ],
  [
    { type: "number", minimum: 1, exclusiveMinimum: true },
    { type: "number", minimum: 1 },
  ],
  [{ type: "array", items: [{ type: "string" }] }, { type: "array" }],
  [{ type: "any", required: true }, {}],
  [{ type: ["any"] }, {}],
  [
    { type: "object", properties: { "c/d~e": { pattern: "(" } } },
    { type: "object", properties: { "c/d~e": {} } },
  ],
])("the usable part of %j is %j", (field, part) => {
  expect(usablePart(withField(field))).toEqual(withField(part));
});

test("a usable schema is its own usable part, and a reference to elsewhere has none", () => {
  expect(usablePart(CITY)).toBe(CITY);
  expect(() => usablePart(withField({ $ref: "https://elsewhere.example/schema.json" }))).toThrow(UnusableSchemaError);
});
