import type { AgentReasoning } from "#domain/agents/agent.ts";
import type { FallbackChoice } from "#domain/agents/fallback-models.ts";
import type { FieldIssue } from "#domain/errors.ts";
import { invalid } from "#domain/invalid.ts";
import type { ModelCatalogue } from "#domain/models/model-catalogue.ts";
import { CUSTOM_ENDPOINT, resolveProvider } from "./resolve-provider.ts";
import type { NamedModel, ResolvedProvider } from "./resolve-provider.ts";

/** The models of an agent as a request leaves them, and how they are called. */
export interface AgentModels {
  readonly model: string;
  readonly provider: string | undefined;
  /** All fallback models, and those that the request names. */
  readonly fallbackModels: readonly string[];
  readonly fallbacks: readonly NamedModel[];
  readonly reasoning: AgentReasoning;
}

/**
 * Returns the provider of an agent's models and warnings about them.
 * @throws AppError `bad_request` when no provider knows a model, the model is also a fallback, or the model does not
 * accept the reasoning effort
 */
export function checkModels(catalogue: ModelCatalogue, models: AgentModels): ResolvedProvider {
  const resolved = resolveProvider(catalogue, models);
  const issues = [repeatedModel(models), effortIssue(catalogue, { ...models, provider: resolved.provider })];
  const found = issues.filter((issue) => issue !== undefined);
  if (found.length > 0) throw invalid("body", found);
  return resolved;
}

/** The fallback models that a request names, with the paths of their fields. */
export function namedFallbacks({ fallback_model: first, fallback_models: list }: FallbackChoice): NamedModel[] {
  if (list !== undefined) return list.map((id, index) => ({ id, path: `fallback_models.${index}` }));
  return first == null ? [] : [{ id: first, path: "fallback_model" }];
}

function repeatedModel({ model, fallbackModels, fallbacks }: AgentModels): FieldIssue | undefined {
  if (!fallbackModels.includes(model)) return undefined;
  const path = fallbacks.find(({ id }) => id === model)?.path ?? "model";
  return { path, message: `"${model}" cannot be the model and a fallback model; remove it from one of them` };
}

/**
 * Returns why an agent's model does not accept its reasoning effort; undefined when it does. An endpoint of the
 * workspace may serve any model under a name of the catalogue.
 */
export function effortIssue(
  catalogue: ModelCatalogue,
  { model, provider, reasoning: { effort } }: Pick<AgentModels, "model" | "provider" | "reasoning">,
): FieldIssue | undefined {
  const known = provider === CUSTOM_ENDPOINT ? undefined : catalogue.find(model);
  if (effort === null || known === undefined || known.efforts?.includes(effort)) return undefined;
  const accepted =
    known.efforts === undefined
      ? "its reasoning cannot be adjusted; only null is accepted"
      : `it accepts ${known.efforts.join(", ")}, and null for the provider's default`;
  return {
    path: "reasoning.effort",
    message: `the model "${model}" does not accept the effort "${effort}": ${accepted}`,
  };
}
