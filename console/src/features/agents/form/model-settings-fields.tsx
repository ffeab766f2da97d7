import { TextField } from "../../../ui/field.tsx";
import { Checkbox, SelectField } from "../../../ui/fields.tsx";
import { useModels } from "../../models/queries.ts";
import { describedModel, offeredSettings } from "./model-settings.ts";
import type { PartProps } from "./part.ts";

/** How the agent's models are called: what the chosen one takes, and why another setting is not there. */
export function ModelSettings({ draft, set }: PartProps) {
  const { data: catalogue } = useModels();
  const offered = offeredSettings(describedModel(catalogue, draft), draft);
  return (
    <>
      <EffortField draft={draft} set={set} offered={offered} />
      <div className="grid grid-cols-2 gap-4">
        <TemperatureField draft={draft} set={set} offered={offered} />
        <TextField
          label="Max output tokens"
          aside="optional"
          path="max_tokens"
          help="Per model call."
          type="number"
          min="1"
          step="1"
          inputMode="numeric"
          placeholder="No limit"
          value={draft.max_tokens}
          onChange={({ target }) => set({ max_tokens: target.value })}
        />
      </div>
      <div className="flex flex-col gap-2">
        <Checkbox
          label="Show its reasoning in streams"
          checked={draft.show_reasoning}
          onChange={({ target }) => set({ show_reasoning: target.checked })}
        />
        <Checkbox
          label="Let the provider cache prompts"
          checked={draft.prompt_caching}
          onChange={({ target }) => set({ prompt_caching: target.checked })}
        />
      </div>
    </>
  );
}

type OfferedProps = PartProps & { readonly offered: ReturnType<typeof offeredSettings> };

function EffortField({ draft, set, offered: { efforts, withoutEfforts } }: OfferedProps) {
  if (withoutEfforts !== undefined) return <Missing label="Reasoning effort" reason={withoutEfforts} />;
  return (
    <SelectField
      label="Reasoning effort"
      path="reasoning"
      help="How much the model thinks before it replies."
      value={draft.effort}
      onChange={({ target }) => set({ effort: target.value })}
    >
      <option value="">The provider’s default</option>
      {efforts.map((effort) => (
        <option key={effort}>{effort}</option>
      ))}
    </SelectField>
  );
}

function TemperatureField({ draft, set, offered: { withoutTemperature } }: OfferedProps) {
  if (withoutTemperature !== undefined) return <Missing label="Temperature" reason={withoutTemperature} />;
  return (
    <TextField
      label="Temperature"
      aside="optional"
      path="temperature"
      help="0 to 2. At 0, answers vary least."
      type="number"
      min="0"
      max="2"
      step="0.1"
      placeholder="Not sent"
      value={draft.temperature}
      onChange={({ target }) => set({ temperature: target.value })}
    />
  );
}

/** In the place of a field that the model does not take. */
function Missing({ label, reason }: { readonly label: string; readonly reason: string }) {
  return (
    <div className="flex flex-col gap-1.5">
      <span className="font-medium text-ink-3">{label}</span>
      <p className="text-small text-ink-3">{reason}</p>
    </div>
  );
}
