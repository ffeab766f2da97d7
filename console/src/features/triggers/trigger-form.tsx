import { useQueryClient } from "@tanstack/react-query";
import { api, read } from "../../api/client.ts";
import { isStale } from "../../lib/changed-fields.ts";
import { useEdited } from "../../lib/use-edited.ts";
import { textIn, useSubmit } from "../../lib/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Checkbox, Field, FormError, Input } from "../../ui/field.tsx";
import { StaleNotice } from "../../ui/stale-notice.tsx";
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
  const { opened, changesOf } = useEdited(trigger, ({ id }) => `/console/api/triggers/${id}`);
  const { onSubmit, isBusy, errorOf, formError } = useSubmit(async (values) => {
    const fields = { name: textIn(values, "name"), ...templateIn(values), ...secretIn(values) };
    if (opened === undefined) onCreated?.(await read(api.POST("/console/api/triggers", { body: fields })));
    else {
      const body = await changesOf(fields);
      await read(api.PATCH("/console/api/triggers/{id}", { params: { path: { id: opened.id } }, body }));
      onClose();
    }
    await client.invalidateQueries({ queryKey: ["triggers"] });
  });
  const error = formError(PATHS);
  const hasSecret = trigger?.has_secret === true;
  const kept = hasSecret ? "Leave it empty to keep the stored one." : "Stored encrypted, never shown again.";
  return (
    <Dialog title={trigger === undefined ? "New trigger" : `Edit ${trigger.name}`} isOpen onClose={onClose}>
      <form onSubmit={onSubmit} className="flex flex-col gap-4">
        {error !== undefined && <FormError>{error}</FormError>}
        {isStale(PATHS, opened, trigger) && <StaleNotice />}
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
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" type="submit" isBusy={isBusy}>
            {trigger === undefined ? "Create trigger" : "Save trigger"}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function secretIn(values: FormData): { readonly secret?: string | null } {
  if (values.has("unsigned")) return { secret: null };
  const secret = textIn(values, "secret");
  return secret === "" ? {} : { secret };
}
