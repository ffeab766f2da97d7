import { expect } from "vitest";
import { createCatalogue } from "#domain/models/model-catalogue.ts";
import { PROVIDERS } from "#providers/gen/registry.ts";
import { verifies } from "../../support/verifies.ts";

const catalogue = createCatalogue(PROVIDERS);

verifies(["models.required-eight", "models.anthropic"], "the catalogue has the required models of Anthropic", () => {
  expectServed("anthropic", ["claude-sonnet-4-20250514", "claude-3-5-haiku-20241022", "claude-3-opus-20240229"]);
});

verifies(["models.required-eight", "models.google"], "the catalogue has the required models of Google", () => {
  expectServed("google", ["gemini-2.0-flash", "gemini-1.5-pro"]);
});

verifies(["models.required-eight", "models.openai"], "the catalogue has the required models of OpenAI", () => {
  expectServed("openai", ["gpt-4o", "gpt-4-turbo", "gpt-3.5-turbo"]);
});

verifies("models.current-models", "the catalogue has current models of each provider", () => {
  expectServed("anthropic", ["claude-opus-5-5", "claude-sonnet-5-5"]);
  expectServed("google", ["gemini-4-argon", "gemini-3.5-flash"]);
  expectServed("openai", ["gpt-6-sol", "gpt-6-luna"]);
});

verifies("models.unique", "no model id is in the catalogue twice", () => {
  const ids = catalogue.models.map((model) => model.id);
  expect(new Set(ids).size).toBe(ids.length);
});

verifies("models.prices", "every model but the demo model has prices and a context window", () => {
  const incomplete = catalogue.models
    .filter((model) => model.provider !== "demo")
    .filter(
      (model) => !(model.promptPrice > 0 && model.completionPrice > model.promptPrice && model.contextWindow > 0),
    );
  expect(incomplete).toEqual([]);
});

function expectServed(provider: string, ids: readonly string[]): void {
  expect(ids.map((id) => catalogue.find(id)?.provider)).toEqual(ids.map(() => provider));
}
