import type { AgentPatch, AgentReasoning } from "#domain/agents/agent.ts";
import { chosenFallbacks } from "#domain/agents/fallback-models.ts";
import type { FallbackChoice, Fallbacks } from "#domain/agents/fallback-models.ts";
import type { FieldIssue } from "#domain/errors.ts";
import type { ModelCatalogue } from "#domain/models/model-catalogue.ts";
import type { AgentModel } from "#db/queries/agents/agents.ts";
import { checkModels, namedFallbacks } from "../models/check-models.ts";
import type { ResolvedProvider } from "../models/resolve-provider.ts";
import { keptProvider } from "../models/resolve-provider.ts";
import { obstacleWarnings } from "./check-agent.ts";
import type { CheckedAgent } from "./check-agent.ts";

/** The fields of a new agent that concern its models. */
interface ModelFields extends FallbackChoice {
  readonly model: string;
  readonly provider?: string | undefined;
  readonly reasoning: AgentReasoning;
}

/** The completed fields of a new agent, and warnings about its models. */
export interface NewModels {
  readonly provider: string;
  readonly fallbacks: Fallbacks;
  readonly warnings: readonly FieldIssue[];
}

/** Checks the models of a new agent and completes their fields. @throws AppError as {@link checkModels} */
export function modelsOf(catalogue: ModelCatalogue, agent: CheckedAgent<ModelFields>): NewModels {
  const { fields } = agent;
  const fallbacks = chosenFallbacks(fields, []) ?? { fallback_model: null, fallback_models: [] };
  const resolved = checkModels(catalogue, {
    model: fields.model,
    provider: fields.provider,
    reasoning: fields.reasoning,
    fallbackModels: fallbacks.fallback_models,
    fallbacks: namedFallbacks(fields),
  });
  return { provider: resolved.provider, fallbacks, warnings: warningsOf(catalogue, agent, resolved) };
}

/** Changes to an agent with the fields that follow from them, and warnings about its models. */
export interface ChangedModels {
  readonly changes: AgentPatch;
  readonly warnings: readonly FieldIssue[];
}

/**
 * Checks the models of a changed agent, if the change concerns them, and adds the fields that follow from it: a new
 * model sets its own provider, unless one is given.
 * @throws AppError as {@link checkModels}
 */
export function withModels(
  catalogue: ModelCatalogue,
  patch: CheckedAgent<AgentPatch>,
  current: AgentModel,
): ChangedModels {
  const { fields } = patch;
  const fallbacks = chosenFallbacks(fields, current.fallback_models);
  const concerned = [fields.model, fields.provider, fields.reasoning, fallbacks];
  if (concerned.every((field) => field === undefined)) return { changes: fields, warnings: [] };
  const reasoning = { ...current.reasoning, ...fields.reasoning };
  const resolved = checkModels(catalogue, {
    model: fields.model ?? current.model,
    provider: fields.provider ?? providerOf(catalogue, fields, current),
    reasoning,
    fallbackModels: (fallbacks ?? current).fallback_models,
    fallbacks: namedFallbacks(fields),
  });
  const changes = { ...fields, ...fallbacks, reasoning, provider: resolved.provider };
  return { changes, warnings: warningsOf(catalogue, patch, resolved) };
}

/** A model that the catalogue does not know keeps its provider. */
function providerOf(catalogue: ModelCatalogue, { model }: AgentPatch, current: AgentModel): string | undefined {
  const isSame = model === undefined || model === current.model;
  if (isSame && catalogue.find(current.model) === undefined) return current.provider;
  return keptProvider(catalogue, model ?? current.model, current.provider);
}

function warningsOf(
  catalogue: ModelCatalogue,
  agent: CheckedAgent<FallbackChoice>,
  { provider, warnings }: ResolvedProvider,
): readonly FieldIssue[] {
  return [...warnings, ...obstacleWarnings(catalogue, agent, provider)];
}
