import { expect, test } from "vitest";
import { createCatalogue } from "#domain/models/model-catalogue.ts";
import type { ReasoningEffort } from "#domain/models/model-catalogue.ts";
import { checkModels } from "./check-models.ts";

const PRICED = { label: "", promptPrice: 1, completionPrice: 1, contextWindow: 1_000 } as const;
const catalogue = createCatalogue([
  { id: "openai", models: [{ ...PRICED, id: "thinker", efforts: ["none", "low", "high"] }] },
  { id: "anthropic", models: [{ ...PRICED, id: "plain" }] },
  { id: "openai-compatible" },
]);

function check(model: string, provider: string | undefined, effort: ReasoningEffort | null) {
  const reasoning = { effort, show: false };
  return checkModels(catalogue, { model, provider, reasoning, fallbackModels: [], fallbacks: [] });
}

test.each(["none", "low", "high", null] as const)("a model accepts its effort %s", (effort) => {
  expect(check("thinker", undefined, effort)).toEqual({ provider: "openai", warnings: [] });
});

test("an effort that the model lacks is rejected with those it accepts", () => {
  expect(() => check("thinker", undefined, "max")).toThrow(
    'reasoning.effort: the model "thinker" does not accept the effort "max": it accepts none, low, high, and null',
  );
  expect(() => check("plain", undefined, "low")).toThrow("its reasoning cannot be adjusted; only null is accepted");
});

test("a model that the catalogue does not describe may accept any effort", () => {
  expect(check("thinker-2", "openai", "max").warnings).toMatchObject([{ path: "model" }]);
  expect(check("plain", "openai-compatible", "max")).toEqual({ provider: "openai-compatible", warnings: [] });
});
