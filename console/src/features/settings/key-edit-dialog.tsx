import { updateKey } from "#client/gen/operations/keys.ts";
import { call } from "../../api/client.ts";
import { useChanged } from "../../api/use-changed.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { textIn } from "../../forms/use-submit.ts";
import type { Edited } from "../../forms/use-edited.ts";
import { TextField } from "../../ui/field.tsx";
import { RecordDialog } from "../../ui/record-dialog.tsx";
import { KeyLimitFields } from "./key-limit-fields.tsx";
import { limitsIn } from "./key-limits.ts";
import { readKey } from "./queries.ts";
import type { ApiKey } from "./queries.ts";

/** Shows the label and the limits of a key; an admin changes them. */
export function KeyEditDialog({ apiKey, onClose }: { readonly apiKey: ApiKey; readonly onClose: () => void }) {
  const blockedBy = useBlockedBy("admin");
  const changed = useChanged("keys");
  async function save(values: FormData, { changesOf }: Edited<ApiKey>): Promise<void> {
    const body = { label: textIn(values, "label"), ...limitsIn(apiKey.kind, values) };
    await call(updateKey)({ id: apiKey.id }, await changesOf(body));
    await changed();
  }
  return (
    <RecordDialog
      title={apiKey.label}
      action="Save key"
      draft={`key.${apiKey.id}`}
      record={apiKey}
      read={async (opened) => (await readKey(opened.id)) ?? opened}
      blockedBy={blockedBy}
      save={save}
      onSaved={onClose}
      onClose={onClose}
    >
      <TextField name="label" label="Label" />
      <KeyLimitFields kind={apiKey.kind} limits={apiKey} />
    </RecordDialog>
  );
}
