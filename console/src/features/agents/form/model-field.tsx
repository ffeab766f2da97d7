import { Field, Input, Select } from "../../../ui/field.tsx";
import { ChoicesError } from "../../../ui/query-part.tsx";
import { useModels } from "../../models/queries.ts";
import { ProviderKeyField } from "../../start/provider-key-field.tsx";
import { FallbacksField } from "./fallbacks-field.tsx";
import { CUSTOM_ENDPOINT } from "./model-settings.ts";
import { ModelSettings } from "./model-settings-fields.tsx";
import type { PartProps } from "./part.ts";

/** The model, what is asked when it fails, and how both are called. */
export function ModelField(part: PartProps) {
  const { draft, set, errorOf } = part;
  const query = useModels();
  const catalogue = query.data;
  const models = catalogue?.models ?? [];
  const isCustom = draft.provider === CUSTOM_ENDPOINT;
  const chosen = isCustom
    ? catalogue?.providers.find(({ id }) => id === CUSTOM_ENDPOINT)
    : models.find(({ id }) => id === draft.model);
  const isKnown = isCustom || models.some(({ id }) => id === draft.model);

  function choose(id: string): void {
    if (id === CUSTOM_ENDPOINT) return set({ provider: CUSTOM_ENDPOINT, model: "" });
    const model = models.find((each) => each.id === id);
    set({
      model: id,
      effort: model?.efforts.find((effort) => effort === draft.effort) ?? "",
      fallback_models: draft.fallback_models.filter((fallback) => fallback !== id),
      ...(model !== undefined && { provider: model.provider }),
    });
  }

  return (
    <>
      <Field label="Model" error={isCustom ? undefined : (errorOf("model") ?? errorOf("provider"))}>
        <Select value={isCustom ? CUSTOM_ENDPOINT : draft.model} onChange={({ target }) => choose(target.value)}>
          {!isKnown && <option value={draft.model}>{draft.model}</option>}
          {models.map(({ id, label, usable }) => (
            <option key={id} value={id}>
              {usable ? label : `${label} (no key)`}
            </option>
          ))}
          <option value={CUSTOM_ENDPOINT}>A model of an endpoint of yours</option>
        </Select>
      </Field>
      <ChoicesError query={query} />
      {isCustom && (
        <Field
          label="Its name at the endpoint"
          error={errorOf("model") ?? errorOf("provider")}
          help={chosen?.usable === false ? chosen.unusable_reason : "Such as llama3.2."}
        >
          <Input value={draft.model} onChange={({ target }) => set({ model: target.value })} spellCheck={false} />
        </Field>
      )}
      {chosen !== undefined && !chosen.usable && !isCustom && "provider" in chosen && (
        <ProviderKeyField provider={chosen.provider} />
      )}
      <FallbacksField {...part} />
      <ModelSettings {...part} />
    </>
  );
}
