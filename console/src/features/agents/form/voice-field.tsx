import { Field, Select, Textarea } from "../../../ui/field.tsx";
import { TONES } from "../../saved/kinds.ts";
import { useVoices } from "../../saved/queries.ts";
import type { PartProps } from "./part.ts";
import { OWN } from "./draft.ts";

/** The agent's voice: a saved one, or the agent's own text. */
export function VoiceField({ draft: { voice }, set, errorOf }: PartProps) {
  const { data: saved = [] } = useVoices();
  const change = (part: Partial<typeof voice>) => set({ voice: { ...voice, ...part } });
  return (
    <>
      <Field label="Voice" error={errorOf("voice_profile_id")} help="Tone and style, added to the prompt.">
        <Select value={voice.choice} onChange={({ target }) => change({ choice: target.value })}>
          <option value="">None</option>
          <option value={OWN}>Its own</option>
          {saved.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
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
