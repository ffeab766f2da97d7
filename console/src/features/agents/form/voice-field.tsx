import { SelectField, TextareaField } from "../../../ui/fields.tsx";
import { TONES } from "../../saved/kinds.ts";
import { useVoiceChoices } from "../../saved/queries.ts";
import type { PartProps } from "./part.ts";
import { OWN } from "./draft.ts";
import { SavedChoice } from "./saved-choice.tsx";

/** The agent's voice: a saved one, or the agent's own text. */
export function VoiceField({ draft: { voice }, set }: PartProps) {
  const { data: saved = [] } = useVoiceChoices();
  const change = (part: Partial<typeof voice>) => set({ voice: { ...voice, ...part } });
  return (
    <>
      <SavedChoice
        label="Voice"
        help="Tone and style, added to the prompt."
        path="voice_profile_id"
        saved={saved}
        value={voice.choice}
        onChange={(choice) => change({ choice })}
      />
      {voice.choice === OWN && (
        <div className="flex flex-col gap-4 border-s-2 border-line ps-4">
          <SelectField
            label="Tone"
            path="voice_profile.tone"
            value={voice.tone}
            onChange={({ target }) => change({ tone: target.value })}
            options={TONES}
          />
          <TextareaField
            label="Instructions"
            aside="optional"
            path="voice_profile.custom_instructions"
            rows={2}
            value={voice.custom_instructions}
            onChange={({ target }) => change({ custom_instructions: target.value })}
          />
          <TextareaField
            label="Output format"
            aside="optional"
            path="voice_profile.output_format_hints"
            rows={2}
            value={voice.output_format_hints}
            onChange={({ target }) => change({ output_format_hints: target.value })}
          />
        </div>
      )}
    </>
  );
}
