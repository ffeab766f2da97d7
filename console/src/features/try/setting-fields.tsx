import { TextField } from "../../ui/field.tsx";
import { SelectField, TextareaField } from "../../ui/fields.tsx";
import { EFFORTS } from "../agents/form/model-settings.ts";
import { useModels } from "../models/queries.ts";
import type { Settings } from "./settings.ts";

/** The prompt, the model and how it is called, to be changed for one reply. */
export function SettingFields({
  settings: { system_prompt, model, effort, temperature },
}: {
  readonly settings: Settings;
}) {
  const { data: catalogue } = useModels();
  const models = catalogue?.models ?? [];
  return (
    <>
      <TextareaField
        name="system_prompt"
        label="Prompt"
        path="changes.system_prompt"
        help="What the agent is told before every message."
        rows={7}
        defaultValue={system_prompt}
        className="font-mono text-mono"
      />
      <SelectField key={models.length} name="model" label="Model" path="changes.model" defaultValue={model}>
        {!models.some(({ id }) => id === model) && <option>{model}</option>}
        {models.map(({ id, usable }) => (
          <option key={id} value={id} disabled={!usable && id !== model}>
            {usable ? id : `${id} (no key)`}
          </option>
        ))}
      </SelectField>
      <div className="grid grid-cols-2 gap-4 max-xs:grid-cols-1">
        <SelectField name="effort" label="Reasoning effort" path="changes.effort" defaultValue={effort ?? ""}>
          <option value="">The provider’s default</option>
          {EFFORTS.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </SelectField>
        <TextField
          name="temperature"
          label="Temperature"
          aside="optional"
          path="changes.temperature"
          help="0 to 2"
          type="number"
          min="0"
          max="2"
          step="any"
          placeholder="Not sent"
          defaultValue={temperature ?? ""}
        />
      </div>
    </>
  );
}
