import {
  createVoiceProfile,
  deleteVoiceProfile,
  getVoiceProfile,
  updateVoiceProfile,
} from "#client/gen/operations/voice-and-templates.ts";
import { call } from "../../api/client.ts";
import { textIn } from "../../forms/use-submit.ts";
import { TextField } from "../../ui/field.tsx";
import { SelectField, TextareaField } from "../../ui/fields.tsx";
import { TONES } from "./kinds.ts";
import type { Voice } from "./queries.ts";
import { SavedDialog } from "./saved-dialog.tsx";

const KIND = { noun: "voice", queryKey: "voices" } as const;

/** Creates or changes a voice. @param voice undefined for a new one */
export function VoiceDialog({ voice, onClose }: { readonly voice: Voice | undefined; readonly onClose: () => void }) {
  const path = { id: voice?.id ?? "" };
  return (
    <SavedDialog
      kind={KIND}
      record={voice}
      read={({ id }) => call(getVoiceProfile)({ id })}
      onClose={onClose}
      save={async (values, { opened, changesOf }) => {
        const body = bodyOf(values);
        return opened === undefined
          ? await call(createVoiceProfile)(body)
          : await call(updateVoiceProfile)(path, await changesOf(body));
      }}
      remove={() => call(deleteVoiceProfile)(path)}
    >
      <div className="grid grid-cols-[1fr_10rem] gap-4 max-sm:grid-cols-1">
        <TextField name="name" label="Name" autoFocus={voice === undefined} placeholder="Plain and kind" />
        <SelectField name="tone" label="Tone" defaultValue="Custom" options={TONES} />
      </div>
      <TextareaField name="custom_instructions" label="Instructions" aside="optional" />
      <TextareaField name="output_format_hints" label="Output format" aside="optional" rows={2} />
    </SavedDialog>
  );
}

function bodyOf(values: FormData) {
  const tone = textIn(values, "tone");
  return {
    name: textIn(values, "name").trim(),
    tone: TONES.find((known) => known === tone) ?? "Custom",
    custom_instructions: textIn(values, "custom_instructions"),
    output_format_hints: textIn(values, "output_format_hints"),
  };
}
