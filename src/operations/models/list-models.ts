import type { KnownModel, ReasoningEffort } from "#domain/models/model-catalogue.ts";
import type { Services } from "../context.ts";
import type { ModelProvider, ProviderField } from "#domain/models/model-providers.ts";
import type { Workspace } from "../workspace.ts";

/** A provider as the console shows it. */
export interface ProviderRecord {
  readonly id: string;
  readonly label: string;
  readonly any_model: boolean;
  readonly also_serves: readonly string[];
  readonly key_help: string | null;
  readonly fields: readonly ProviderField[];
  readonly usable: boolean;
  readonly unusable_reason: string | null;
}

/** When a model accepts a temperature. */
export const TEMPERATURE_USES = ["always", "with_effort_none", "never"] as const;

/** One of {@link TEMPERATURE_USES}. */
export type TemperatureUse = (typeof TEMPERATURE_USES)[number];

/** A model of the catalogue as the console shows it. Prices are USD per million tokens. */
export interface ModelRecord {
  readonly id: string;
  readonly label: string;
  readonly provider: string;
  readonly prompt_price: number | null;
  readonly cached_price: number | null;
  readonly cache_write_price: number | null;
  readonly completion_price: number | null;
  readonly reasoning_price: number | null;
  readonly context_window: number;
  readonly max_output: number | null;
  readonly efforts: readonly ReasoningEffort[];
  readonly temperature: TemperatureUse;
  readonly forced_tools: boolean;
  readonly images: boolean;
  readonly documents: boolean;
  readonly structured_output: boolean;
  readonly usable: boolean;
  readonly unusable_reason: string | null;
}

/** Lists the providers and models of the catalogue, each with whether the caller's workspace can call it now. */
export async function listCatalogue(
  workspace: Workspace,
): Promise<{ readonly providers: ProviderRecord[]; readonly models: ModelRecord[] }> {
  const providers = await workspace.providers.list(workspace.who.workspaceId);
  const byId = new Map(providers.map((provider) => [provider.id, provider]));
  return {
    providers: providers.map((provider) => ({
      id: provider.id,
      label: provider.label,
      any_model: workspace.catalogue.servesAny(provider.id),
      also_serves: workspace.catalogue.alsoServes(provider.id),
      key_help: provider.keyHelp ?? null,
      fields: provider.fields,
      ...usability(provider),
    })),
    models: workspace.catalogue.models.map((model) => modelRecord(workspace, model, byId.get(model.provider))),
  };
}

function modelRecord(
  { prices, catalogue }: Pick<Services, "prices" | "catalogue">,
  model: KnownModel,
  provider: ModelProvider | undefined,
): ModelRecord {
  const price = prices.priceOf(model.id);
  return {
    id: model.id,
    label: model.label,
    provider: model.provider,
    prompt_price: price?.prompt ?? null,
    cached_price: price?.cached ?? price?.prompt ?? null,
    cache_write_price: price?.cache_write ?? price?.prompt ?? null,
    completion_price: price?.completion ?? null,
    reasoning_price: price?.reasoning ?? price?.completion ?? null,
    context_window: model.contextWindow,
    max_output: model.maxOutput ?? null,
    efforts: model.efforts ?? [],
    temperature: temperatureUse(model),
    forced_tools: model.forcedTools !== false,
    images: catalogue.supportsImages(model.id),
    documents: model.documents === true,
    structured_output: model.structuredOutput === true,
    ...usability(provider),
  };
}

function temperatureUse({ temperature }: KnownModel): TemperatureUse {
  if (temperature === false) return "never";
  return temperature === "with-effort-none" ? "with_effort_none" : "always";
}

function usability(provider: ModelProvider | undefined) {
  const reason = provider === undefined ? "This version has no provider for it." : (provider.obstacle ?? null);
  return { usable: reason === null, unusable_reason: reason };
}
