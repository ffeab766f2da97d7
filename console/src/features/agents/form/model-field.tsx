import { Field, Input, Select } from "../../../ui/field.tsx";
import { useModels } from "../../models/queries.ts";
import { ProviderKeyField } from "../../start/provider-key-field.tsx";
import type { PartProps } from "./part.ts";

/** Takes any model: it is an endpoint of the workspace. */
const CUSTOM_ENDPOINT = "openai-compatible";

/** The model, what is asked when it fails, and the bounds of its answers. */
export function ModelField({ draft, set, errorOf }: PartProps) {
  const { data: catalogue } = useModels();
  const models = catalogue?.models ?? [];
  const isCustom = draft.provider === CUSTOM_ENDPOINT;
  const chosen = isCustom
    ? catalogue?.providers.find(({ id }) => id === CUSTOM_ENDPOINT)
    : models.find(({ id }) => id === draft.model);
  const isKnown = isCustom || models.some(({ id }) => id === draft.model);

  function choose(id: string): void {
    if (id === CUSTOM_ENDPOINT) return set({ provider: CUSTOM_ENDPOINT, model: "" });
    const provider = models.find((model) => model.id === id)?.provider;
    set({ model: id, ...(provider !== undefined && { provider }) });
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
      <Field label="Fallback model" error={errorOf("fallback_model")} help="Used when the model fails.">
        {isCustom ? (
          <Input
            value={draft.fallback_model}
            onChange={({ target }) => set({ fallback_model: target.value })}
            placeholder="none"
            spellCheck={false}
          />
        ) : (
          <Select value={draft.fallback_model} onChange={({ target }) => set({ fallback_model: target.value })}>
            <option value="">None</option>
            {models.map(({ id, label, usable }) => (
              <option key={id} value={id}>
                {usable ? label : `${label} (no key)`}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <div className="grid grid-cols-2 gap-4">
        <Field label="Temperature" error={errorOf("temperature")} help="0 to 2. At 0, answers vary least.">
          <Input
            type="number"
            min="0"
            max="2"
            step="0.1"
            value={draft.temperature}
            onChange={({ target }) => set({ temperature: target.value })}
          />
        </Field>
        <Field label="Max output tokens" aside="optional" error={errorOf("max_tokens")} help="Per model call.">
          <Input
            type="number"
            min="1"
            step="1"
            inputMode="numeric"
            placeholder="No limit"
            value={draft.max_tokens}
            onChange={({ target }) => set({ max_tokens: target.value })}
          />
        </Field>
      </div>
    </>
  );
}
