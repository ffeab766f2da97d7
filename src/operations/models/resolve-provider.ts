import { AppError } from "#domain/errors.ts";
import type { FieldIssue } from "#domain/errors.ts";
import { nearest } from "#lib/text/nearest.ts";
import type { ModelCatalogue } from "#domain/models/model-catalogue.ts";

/** The provider that accepts any model id: it is an endpoint of the workspace. */
export const CUSTOM_ENDPOINT = "openai-compatible";

/** The provider of the built-in demo model, which serves no other. */
const DEMO = "demo";

/** A model that a request names, and the path of the field. */
export interface NamedModel {
  readonly id: string;
  readonly path: string;
}

/** The part of an agent that names its models. */
export interface ModelChoice {
  readonly model: string;
  /** Absent: the one that serves the model. */
  readonly provider?: string | undefined;
  readonly fallbacks?: readonly NamedModel[];
}

/** The provider of an agent, and what its owner should know about the models. */
export interface ResolvedProvider {
  readonly provider: string;
  readonly warnings: readonly FieldIssue[];
}

/**
 * Returns the provider of an agent's model: the given one if it serves the model, else the model's own. A given
 * provider may serve models that the catalogue does not know; each is a warning.
 * @param under the path of the choice in the request, such as `changes.`
 * @throws AppError `bad_request` with the invalid field, listing the known ones.
 */
export function resolveProvider(catalogue: ModelCatalogue, choice: ModelChoice, under = ""): ResolvedProvider {
  const { providerIds } = catalogue;
  const { model, provider: given, fallbacks = [] } = choice;
  if (given !== undefined && !providerIds.includes(given)) {
    throw issue({ path: "provider", message: unknownProvider(given, providerIds) });
  }
  if (given === CUSTOM_ENDPOINT) return { provider: CUSTOM_ENDPOINT, warnings: [] };
  const provider = catalogue.providerOf(model, given) ?? given;
  if (provider === undefined) throw issue({ path: `${under}model`, message: unknownModel(catalogue, model) });
  if (given !== undefined && provider !== given) {
    const message = `The model "${model}" belongs to the provider "${provider}", not "${given}".`;
    throw issue({ path: "provider", message });
  }
  const unknown = [{ id: model, path: `${under}model` }, ...fallbacks].filter(({ id }) => !catalogue.find(id));
  const [first] = unknown;
  if (first !== undefined && (given === undefined || given === DEMO))
    throw issue({ ...first, message: unknownModel(catalogue, first.id) });
  return { provider, warnings: unknown.map(({ id, path }) => ({ path, message: newModel(catalogue, id, provider) })) };
}

/** The message for a provider that does not exist: the one that was probably meant, and all. */
export function unknownProvider(provider: string, providerIds: readonly string[]): string {
  const near = nearest(provider, providerIds);
  const meant = near === undefined ? "" : ` Did you mean ${near}?`;
  return `Unknown provider "${provider}".${meant} Known: ${providerIds.join(", ")}.`;
}

/** The provider that an agent keeps when its model changes: one that serves a new model besides the model's own. */
export function keptProvider(catalogue: ModelCatalogue, model: string, provider: string): string | undefined {
  if (provider === CUSTOM_ENDPOINT) return provider;
  const isOwn = catalogue.providerOf(model) === provider;
  return !isOwn && catalogue.providerOf(model, provider) === provider ? provider : undefined;
}

function unknownModel(catalogue: ModelCatalogue, modelId: string): string {
  const near = similarModel(catalogue, modelId);
  const meant =
    near === undefined ? `Known: ${catalogue.models.map(({ id }) => id).join(", ")}.` : `Did you mean ${near}?`;
  return (
    `No provider knows the model "${modelId}". ${meant} A model that is newer than this version works with its ` +
    `provider, any model of an endpoint of your own with provider "${CUSTOM_ENDPOINT}".`
  );
}

function newModel(catalogue: ModelCatalogue, modelId: string, provider: string): string {
  const near = similarModel(catalogue, modelId);
  const meant = near === undefined ? "" : ` Did you mean ${near}?`;
  return (
    `The catalogue does not know the model "${modelId}".${meant} It is called at the provider "${provider}"; ` +
    "its price and limits are unknown."
  );
}

function similarModel({ models }: ModelCatalogue, modelId: string): string | undefined {
  const known = models.map(({ id }) => id);
  // Routers name a model `openai/gpt-4o`.
  return nearest(modelId, known) ?? nearest(modelId.slice(modelId.lastIndexOf("/") + 1), known);
}

function issue({ path, message }: FieldIssue): AppError {
  return new AppError("bad_request", message, { details: [{ path, message }] });
}
