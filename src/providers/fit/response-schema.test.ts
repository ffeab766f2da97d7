import { expect, test } from "vitest";
import type { ModelRequest } from "#domain/models/model-call.ts";
import { fitClosedSchema, fitResponseSchema } from "./response-schema.ts";

const POINT = { type: "object", properties: { x: { type: "number" } }, required: ["x"] };
const ABLE = { structuredOutput: true } as const;

function request(responseSchema?: Readonly<Record<string, unknown>>): ModelRequest {
  const { signal } = new AbortController();
  return { model: "m", messages: [], tools: [], signal, ...(responseSchema && { responseSchema }) };
}

test("a request without a schema, and one that its model can be held to, stay", () => {
  expect(fitResponseSchema(request(), {})).toMatchObject({ notes: [] });
  expect(fitResponseSchema(request(POINT), ABLE)).toMatchObject({ request: { responseSchema: POINT }, notes: [] });
  expect(fitClosedSchema(request())).toMatchObject({ notes: [] });
});

test("the schema is left out, with a note, where the model cannot be held to one", () => {
  const { request: fitted, notes } = fitResponseSchema(request(POINT), {});
  expect(fitted).not.toHaveProperty("responseSchema");
  expect(notes).toEqual(["The output schema is only in the prompt: m cannot be held to a schema."]);
});

test.each([{ type: "array" }, { anyOf: [POINT] }, { ...POINT, allOf: [POINT] }, { $ref: "#/$defs/a" }, {}])(
  "a schema with the root %j is left out",
  (schema) => {
    expect(fitResponseSchema(request(schema), ABLE).notes).toEqual([expect.stringContaining("not a plain object")]);
  },
);

const optional = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, {}]));

test.each([
  [POINT, undefined],
  [{ ...POINT, additionalProperties: false }, undefined],
  [{ type: "object", properties: optional(10) }, undefined],
  [{ type: "object", properties: optional(11) }, "more than 10 optional"],
  [{ type: "object", properties: { a: { type: "object", properties: optional(6) }, ...optional(5) } }, "more than 10"],
  [{ type: "object", properties: { map: { type: "object" } } }, "any properties"],
  [{ type: "object", properties: { map: { type: ["object", "null"] } } }, "any properties"],
  [{ ...POINT, additionalProperties: { type: "string" } }, "any properties"],
  [{ ...POINT, properties: { x: { $ref: "#" } } }, "references"],
])("Anthropic gets a schema that stays what it is when its objects are closed: %j", (schema, reason) => {
  const { request: fitted, notes } = fitClosedSchema(request(schema));
  expect("responseSchema" in fitted).toBe(reason === undefined);
  expect(notes).toEqual(reason === undefined ? [] : [expect.stringContaining(reason)]);
});
