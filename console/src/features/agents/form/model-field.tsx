import { TextField } from "../../../ui/field.tsx";
import { SelectField } from "../../../ui/fields.tsx";
import { ChoicesError } from "../../../ui/query-part.tsx";
import { useModels } from "../../models/queries.ts";
import { ProviderKeyField } from "../../models/provider-key-field.tsx";
import { FallbacksField } from "./fallbacks-field.tsx";
import { typedModelProvider } from "./model-settings.ts";
import { ModelSettings } from "./model-settings-fields.tsx";
import type { PartProps } from "./part.ts";

/** What the models of a provider are called here that serves any. */
const ANY_MODEL: Readonly<Record<string, string>> = { "openai-compatible": "A model of an endpoint of yours" };

/** The model, what is asked when it fails, and how both are called. */
export function ModelField(part: PartProps) {
  const { draft, set } = part;
  const query = useModels();
  const catalogue = query.data;
  const models = catalogue?.models ?? [];
  const typed = typedModelProvider(catalogue, draft);
  const chosen = models.find(({ id }) => id === draft.model);
  const isKnown = typed !== undefined || chosen !== undefined;

  function choose(id: string): void {
    if (catalogue?.providers.some((each) => each.any_model && each.id === id)) return set({ provider: id, model: "" });
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
      <SelectField
        label="Model"
        path={typed === undefined ? ["model", "provider"] : []}
        value={typed?.id ?? draft.model}
        onChange={({ target }) => choose(target.value)}
      >
        {!isKnown && <option value={draft.model}>{draft.model}</option>}
        {models.map(({ id, label, usable }) => (
          <option key={id} value={id}>
            {usable ? label : `${label} (no key)`}
          </option>
        ))}
        {catalogue?.providers
          .filter(({ any_model }) => any_model)
          .map((provider) => (
            <option key={provider.id} value={provider.id}>
              {ANY_MODEL[provider.id] ?? `Another model of ${provider.label}`}
            </option>
          ))}
      </SelectField>
      <ChoicesError query={query} />
      {typed !== undefined && (
        <TextField
          label="Its name at the endpoint"
          path={["model", "provider"]}
          help={typed.usable ? "Such as llama3.2, or the name of a deployment." : typed.unusable_reason}
          value={draft.model}
          onChange={({ target }) => set({ model: target.value })}
          spellCheck={false}
        />
      )}
      {typed === undefined && chosen?.usable === false && <ProviderKeyField provider={chosen.provider} />}
      <FallbacksField {...part} />
      <ModelSettings {...part} />
    </>
  );
}
