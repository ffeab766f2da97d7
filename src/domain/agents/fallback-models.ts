import type { z } from "zod";

/** The number of models that may be called when an agent's model fails. */
export const MAX_FALLBACKS = 5;

/** What a request says about the fallback models of an agent; undefined: nothing. */
export interface FallbackChoice {
  readonly fallback_model?: string | null | undefined;
  readonly fallback_models?: readonly string[] | undefined;
}

/** An agent's fallback models, in both fields. */
export interface Fallbacks {
  readonly fallback_model: string | null;
  readonly fallback_models: string[];
}

/**
 * Returns the fallback models that a request sets; undefined when it names none. `fallback_models` is the whole list.
 * `fallback_model` alone replaces the first of the list and keeps the others; null empties the list.
 * @param current the agent's list before the request
 */
export function chosenFallbacks(choice: FallbackChoice, current: readonly string[]): Fallbacks | undefined {
  const { fallback_model: first, fallback_models: given } = choice;
  if (given !== undefined) return inBothFields(given);
  if (first === undefined) return undefined;
  return inBothFields(first === null ? [] : [first, ...current.slice(1).filter((model) => model !== first)]);
}

/** Adds an issue when a request sets both fields and they contradict each other. */
export function rejectContradiction(choice: FallbackChoice, context: z.RefinementCtx): void {
  const { fallback_model: first, fallback_models: list } = choice;
  if (first === undefined || list === undefined || first === (list[0] ?? null)) return;
  const message = "must be the first of fallback_models, or null for an empty list; one of the two fields is enough";
  context.addIssue({ code: "custom", path: ["fallback_model"], message });
}

function inBothFields(models: readonly string[]): Fallbacks {
  return { fallback_model: models[0] ?? null, fallback_models: [...models] };
}
