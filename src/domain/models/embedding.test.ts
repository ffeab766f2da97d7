import { expect, test } from "vitest";
import { modelOf, normalized, spaceOf } from "./embedding.ts";

test.each([
  [{ provider: "openai", model: "text-embedding-3-small" }, 512],
  [{ provider: "openai-compatible", model: "org/model-v1/large" }, 4_096],
])("the space of %o names the model again", (model, dimensions) => {
  expect(modelOf(spaceOf(model, dimensions))).toEqual(model);
});

test("a model is named by its provider and its id, which may hold slashes", () => {
  expect(modelOf("openai-compatible/org/model")).toEqual({ provider: "openai-compatible", model: "org/model" });
});

test("vectors get the length 1; one of zeros stays", () => {
  expect(normalized([3, 4])).toEqual([0.6, 0.8]);
  expect(normalized([0, 0])).toEqual([0, 0]);
});
