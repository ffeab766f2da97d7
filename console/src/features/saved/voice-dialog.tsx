import {
  createVoiceProfile,
  deleteVoiceProfile,
  getVoiceProfile,
  updateVoiceProfile,
} from "#client/gen/operations/voice-and-templates.ts";
import { call } from "../../api/client.ts";
import { textIn } from "../../forms/use-submit.ts";
import { Field, Input, Select, Textarea } from "../../ui/field.tsx";
import { TONES } from "./kinds.ts";
import type { Voice } from "./queries.ts";
import { SavedDialog } from "./saved-dialog.tsx";

const KIND = {
  noun: "voice",
  queryKey: "voices",
  fields: ["name", "tone", "custom_instructions", "output_format_hints"],
} as const;

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
      {(errorOf) => (
        <>
          <div className="grid grid-cols-[1fr_10rem] gap-4 max-sm:grid-cols-1">
            <Field label="Name" error={errorOf("name")}>
              <Input
                name="name"
                defaultValue={voice?.name}
                autoFocus={voice === undefined}
                autoComplete="off"
                placeholder="Plain and kind"
              />
            </Field>
            <Field label="Tone" error={errorOf("tone")}>
              <Select name="tone" defaultValue={voice?.tone ?? "Custom"}>
                {TONES.map((tone) => (
                  <option key={tone}>{tone}</option>
                ))}
              </Select>
            </Field>
          </div>
          <Field label="Instructions" aside="optional" error={errorOf("custom_instructions")}>
            <Textarea name="custom_instructions" defaultValue={voice?.custom_instructions} />
          </Field>
          <Field label="Output format" aside="optional" error={errorOf("output_format_hints")}>
            <Textarea name="output_format_hints" defaultValue={voice?.output_format_hints} rows={2} />
          </Field>
        </>
      )}
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
