import { Field, Input } from "../../../ui/field.tsx";
import { Select } from "../../../ui/fields.tsx";
import { useModels } from "../../models/queries.ts";
import { typedModelProvider } from "./model-settings.ts";
import type { PartProps } from "./part.ts";

const MAX_FALLBACKS = 5;

/** The models that are called in their order when the model fails, and a place for the next one. */
export function FallbacksField({ draft, set }: PartProps) {
  const chosen = draft.fallback_models;
  const rows = chosen.length < MAX_FALLBACKS ? [...chosen, ""] : chosen;
  return rows.map((model, index) => (
    <Field
      // The rows have no other identity, and keep their order.
      key={index}
      label={index === 0 ? "Fallback model" : `Fallback model ${index + 1}`}
      path={index === 0 && chosen.length < 2 ? "fallback_models" : `fallback_models.${index}`}
      help={index === 0 ? "Called when the model fails." : undefined}
    >
      <FallbackModel
        draft={draft}
        model={model}
        onChange={(next) => set({ fallback_models: rows.with(index, next).filter((id) => id !== "") })}
      />
    </Field>
  ));
}

function FallbackModel({
  draft,
  model,
  onChange,
}: Pick<PartProps, "draft"> & { readonly model: string; readonly onChange: (model: string) => void }) {
  const { data: catalogue } = useModels();
  const models = catalogue?.models ?? [];
  if (typedModelProvider(catalogue, draft) !== undefined) {
    return (
      <Input value={model} onChange={({ target }) => onChange(target.value)} placeholder="none" spellCheck={false} />
    );
  }
  const taken = new Set([draft.model, ...draft.fallback_models.filter((id) => id !== model)]);
  return (
    <Select value={model} onChange={({ target }) => onChange(target.value)}>
      <option value="">None</option>
      {model !== "" && !models.some(({ id }) => id === model) && <option value={model}>{model}</option>}
      {models
        .filter(({ id }) => !taken.has(id))
        .map(({ id, label, usable }) => (
          <option key={id} value={id}>
            {usable ? label : `${label} (no key)`}
          </option>
        ))}
    </Select>
  );
}
