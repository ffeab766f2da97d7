import { useQueryClient } from "@tanstack/react-query";
import { createTrigger, getTrigger, updateTrigger } from "#client/gen/operations/triggers.ts";
import { call } from "../../api/client.ts";
import type { Edited } from "../../forms/use-edited.ts";
import { textIn } from "../../forms/use-submit.ts";
import { Checkbox, Field, Input } from "../../ui/field.tsx";
import { RecordDialog } from "../../ui/record-dialog.tsx";
import { TEMPLATE_PATHS, TemplateFields, templateIn } from "../schedules/template-fields.tsx";
import type { ShownTrigger, Trigger } from "./records.ts";

const PATHS = ["name", "secret", ...TEMPLATE_PATHS] as const;

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
      fields={PATHS}
      shown={["name", ...TEMPLATE_PATHS]}
      save={save}
      onSaved={saved}
      onClose={onClose}
    >
      {({ errorOf }) => (
        <>
          <Field label="Name" error={errorOf("name")}>
            <Input
              name="name"
              required
              autoFocus
              maxLength={100}
              autoComplete="off"
              defaultValue={trigger?.name}
              placeholder="Returned orders"
            />
          </Field>
          <TemplateFields template={trigger} errorOf={errorOf} />
          <Field
            label="Secret"
            aside="optional"
            error={errorOf("secret")}
            help={`Then only deliveries signed with it are accepted (HMAC-SHA256 in X-Hub-Signature-256). ${kept}`}
          >
            <Input name="secret" type="password" autoComplete="off" placeholder={hasSecret ? "Stored" : undefined} />
          </Field>
          {hasSecret && <Checkbox name="unsigned" label="Remove the secret: accept deliveries without a signature" />}
        </>
      )}
    </RecordDialog>
  );
}

function secretIn(values: FormData): { readonly secret?: string | null } {
  if (values.has("unsigned")) return { secret: null };
  const secret = textIn(values, "secret");
  return secret === "" ? {} : { secret };
}
