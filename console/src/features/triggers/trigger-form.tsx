import { useQueryClient } from "@tanstack/react-query";
import { createTrigger, getTrigger, updateTrigger } from "#client/gen/operations/triggers.ts";
import { call } from "../../api/client.ts";
import type { Edited } from "../../forms/use-edited.ts";
import { textIn } from "../../forms/use-submit.ts";
import { TextField } from "../../ui/field.tsx";
import { Checkbox } from "../../ui/fields.tsx";
import { RecordDialog } from "../../ui/record-dialog.tsx";
import { TemplateFields, templateIn } from "../schedules/template-fields.tsx";
import type { ShownTrigger, Trigger } from "./records.ts";

/** Makes a trigger, or changes one; a new one is given back with its URL. */
export function TriggerForm({
  trigger,
  onCreated,
  onClose,
}: {
  readonly trigger?: Trigger | undefined;
  readonly onCreated?: (trigger: ShownTrigger) => void;
  readonly onClose: () => void;
}) {
  const client = useQueryClient();
  async function save(values: FormData, { opened, changesOf }: Edited<Trigger>): Promise<ShownTrigger | undefined> {
    const fields = { name: textIn(values, "name"), ...templateIn(values), ...secretIn(values) };
    if (opened === undefined) return call(createTrigger)(fields);
    const body = await changesOf(fields);
    await call(updateTrigger)({ id: opened.id }, body);
    return undefined;
  }
  async function saved(created: ShownTrigger | undefined): Promise<void> {
    if (created === undefined) onClose();
    else onCreated?.(created);
    await client.invalidateQueries({ queryKey: ["triggers"] });
  }
  const hasSecret = trigger?.has_secret === true;
  const kept = hasSecret ? "Leave it empty to keep the stored one." : "Stored encrypted, never shown again.";
  return (
    <RecordDialog
      title={trigger === undefined ? "New trigger" : `Edit ${trigger.name}`}
      action={trigger === undefined ? "Create trigger" : "Save trigger"}
      draft={`trigger.${trigger?.id ?? "new"}`}
      record={trigger}
      read={({ id }) => call(getTrigger)({ id })}
      save={save}
      onSaved={saved}
      onClose={onClose}
    >
      <TextField name="name" label="Name" required autoFocus maxLength={100} placeholder="Returned orders" />
      <TemplateFields template={trigger} />
      <TextField
        name="secret"
        label="Secret"
        aside="optional"
        help={`Then only deliveries signed with it are accepted (HMAC-SHA256 in X-Hub-Signature-256). ${kept}`}
        type="password"
        placeholder={hasSecret ? "Stored" : undefined}
      />
      {hasSecret && <Checkbox name="unsigned" label="Remove the secret: accept deliveries without a signature" />}
    </RecordDialog>
  );
}

function secretIn(values: FormData): { readonly secret?: string | null } {
  if (values.has("unsigned")) return { secret: null };
  const secret = textIn(values, "secret");
  return secret === "" ? {} : { secret };
}
