import { AppError } from "#domain/errors.ts";
import { nearest } from "#lib/text/nearest.ts";
import type { ModelCatalogue } from "#domain/models/model-catalogue.ts";

/** The provider that accepts any model id: it is an endpoint of the workspace. */
export const CUSTOM_ENDPOINT = "openai-compatible";

/** The part of an agent that names its models. */
export interface ModelChoice {
  readonly model: string;
  readonly fallback_model?: string | null | undefined;
  readonly provider?: string | undefined;
}

/**
 * Returns the provider of an agent's model: the given one if it serves the model, else the model's own.
 * @param under the path of the choice in the request, such as `changes.`
 * @throws AppError `bad_request` with the invalid field, listing the known ones.
 */
export function resolveProvider(catalogue: ModelCatalogue, choice: ModelChoice, under = ""): string {
  const { providerIds } = catalogue;
  if (choice.provider !== undefined && !providerIds.includes(choice.provider)) {
    throw issue("provider", unknownProvider(choice.provider, providerIds));
  }
  if (choice.provider === CUSTOM_ENDPOINT) return CUSTOM_ENDPOINT;
  const provider = providerOf(catalogue, `${under}model`, choice.model);
  if (choice.fallback_model != null) providerOf(catalogue, "fallback_model", choice.fallback_model);
  if (choice.provider !== undefined && choice.provider !== provider) {
    throw issue(
      "provider",
      `The model "${choice.model}" belongs to the provider "${provider}", not "${choice.provider}".`,
    );
  }
  return provider;
}

/** The message for a provider that does not exist: the one that was probably meant, and all. */
export function unknownProvider(provider: string, providerIds: readonly string[]): string {
  const near = nearest(provider, providerIds);
  const meant = near === undefined ? "" : ` Did you mean ${near}?`;
  return `Unknown provider "${provider}".${meant} Known: ${providerIds.join(", ")}.`;
}

/** The provider that an agent keeps when its model changes: a custom one, whose models the catalogue does not know. */
export function allowedProvider(provider: string): string | undefined {
  return provider === CUSTOM_ENDPOINT ? provider : undefined;
}

function providerOf(catalogue: ModelCatalogue, path: string, modelId: string): string {
  const model = catalogue.find(modelId);
  if (model !== undefined) return model.provider;
  const known = catalogue.models.map(({ id }) => id);
  // Routers name a model `openai/gpt-4o`.
  const near = nearest(modelId, known) ?? nearest(modelId.slice(modelId.lastIndexOf("/") + 1), known);
  const meant = near === undefined ? `Known: ${known.join(", ")}.` : `Did you mean ${near}?`;
  throw issue(
    path,
    `No provider knows the model "${modelId}". ${meant} Any model of an endpoint of your own works with provider "${CUSTOM_ENDPOINT}".`,
  );
}

function issue(path: string, message: string): AppError {
  return new AppError("bad_request", message, { details: [{ path, message }] });
}
