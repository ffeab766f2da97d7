import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { createWebhookSubscription } from "#client/gen/operations/webhooks.ts";
import { call } from "../../api/client.ts";
import { textIn } from "../../forms/use-submit.ts";
import { Field, TextField } from "../../ui/field.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { OneTimeSecret } from "../../ui/one-time-secret.tsx";
import { RecordDialog } from "../../ui/record-dialog.tsx";
import { RecordField } from "../pickers/record-picker.tsx";
import { readPicked } from "../pickers/records.ts";
import { ASSIGNEE_KINDS } from "../tasks/assignee.ts";
import { HOOK_EVENTS, eventLabel } from "./records.ts";

/** Subscribes a URL to an event; afterwards shows the secret that signs the deliveries, once. */
export function HookForm({ onClose }: { readonly onClose: () => void }) {
  const [secret, setSecret] = useState<string>();
  const client = useQueryClient();
  async function save(values: FormData): Promise<string> {
    const made = await call(createWebhookSubscription)(bodyOf(values));
    await client.invalidateQueries({ queryKey: ["hooks"] });
    return made.secret;
  }
  if (secret !== undefined) {
    return (
      <OneTimeSecret title="Subscribed" label="Secret" secret={secret} onClose={onClose}>
        Deliveries are signed with this secret. It is not shown again; you can make a new one at any time.
      </OneTimeSecret>
    );
  }
  return (
    <RecordDialog
      title="New subscription"
      action="Subscribe"
      draft="subscription"
      save={save}
      onSaved={setSecret}
      onClose={onClose}
    >
      <TextField
        name="target_url"
        label="URL"
        help="Your endpoint; it answers any 2xx."
        type="url"
        required
        autoFocus
        placeholder="https://example.com/muster"
      />
      <SelectField name="event" label="Event" defaultValue="task_completed">
        {HOOK_EVENTS.map((event) => (
          <option key={event} value={event}>
            {eventLabel(event)}
          </option>
        ))}
      </SelectField>
      <Field label="Of" path={["agent_id", "team_id"]}>
        <RecordField name="of" kinds={ASSIGNEE_KINDS} initial="" none="Every agent and team" />
      </Field>
    </RecordDialog>
  );
}

function bodyOf(values: FormData) {
  const of = readPicked(textIn(values, "of"));
  return {
    target_url: textIn(values, "target_url"),
    event: HOOK_EVENTS.find((event) => event === textIn(values, "event")) ?? HOOK_EVENTS[0],
    ...(of?.kind === "agent" && { agent_id: of.id }),
    ...(of?.kind === "team" && { team_id: of.id }),
  };
}
