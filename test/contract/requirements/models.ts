import type { Requirements } from "./requirement.ts";

/** The catalogue of models. */
export const models = {
  "models.required-eight": {
    states: "The service supports eight models of three providers.",
    source: "contract",
  },
  "models.anthropic": {
    states:
      "The catalogue has claude-sonnet-4-20250514, claude-3-5-haiku-20241022 and claude-3-opus-20240229 of Anthropic.",
    source: "decision",
  },
  "models.google": {
    states: "The catalogue has gemini-2.0-flash and gemini-1.5-pro of Google.",
    source: "decision",
  },
  "models.openai": {
    states: "The catalogue has gpt-4o, gpt-4-turbo and gpt-3.5-turbo of OpenAI.",
    source: "decision",
  },
  "models.current-models": {
    states: "The catalogue holds current models of each provider too.",
    source: "decision",
  },
  "models.prices": { states: "Every model of the catalogue has its prices.", source: "decision" },
  "models.unique": { states: "No model is in the catalogue twice.", source: "goal" },
} as const satisfies Requirements<"models">;
