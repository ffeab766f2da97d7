import { Field, Select, Textarea } from "../../../ui/field.tsx";
import { TONES } from "../../saved/kinds.ts";
import { useVoiceChoices } from "../../saved/queries.ts";
import type { PartProps } from "./part.ts";
import { OWN } from "./draft.ts";
import { SavedChoice } from "./saved-choice.tsx";

/** The agent's voice: a saved one, or the agent's own text. */
export function VoiceField({ draft: { voice }, set, errorOf }: PartProps) {
  const { data: saved = [] } = useVoiceChoices();
  const change = (part: Partial<typeof voice>) => set({ voice: { ...voice, ...part } });
  return (
    <>
      <SavedChoice
        label="Voice"
        help="Tone and style, added to the prompt."
        error={errorOf("voice_profile_id")}
        saved={saved}
        value={voice.choice}
        onChange={(choice) => change({ choice })}
      />
      {voice.choice === OWN && (
        <div className="flex flex-col gap-4 border-s-2 border-line ps-4">
          <Field label="Tone" error={errorOf("voice_profile.tone")}>
            <Select value={voice.tone} onChange={({ target }) => change({ tone: target.value })}>
              {TONES.map((tone) => (
                <option key={tone}>{tone}</option>
              ))}
            </Select>
          </Field>
          <Field label="Instructions" aside="optional" error={errorOf("voice_profile.custom_instructions")}>
            <Textarea
              rows={2}
              value={voice.custom_instructions}
              onChange={({ target }) => change({ custom_instructions: target.value })}
            />
          </Field>
          <Field label="Output format" aside="optional" error={errorOf("voice_profile.output_format_hints")}>
            <Textarea
              rows={2}
              value={voice.output_format_hints}
              onChange={({ target }) => change({ output_format_hints: target.value })}
            />
          </Field>
        </div>
      )}
    </>
  );
}
