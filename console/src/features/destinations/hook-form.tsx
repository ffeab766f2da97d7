import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, read } from "../../api/client.ts";
import { textIn, useSubmit } from "../../lib/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Field, FormError, Input, Select } from "../../ui/field.tsx";
import { OneTimeSecret } from "../../ui/one-time-secret.tsx";
import { RecordField } from "../pickers/record-picker.tsx";
import { readPicked } from "../pickers/records.ts";
import { ASSIGNEE_KINDS } from "../tasks/assignee.ts";
import { HOOK_EVENTS, eventLabel } from "./records.ts";

/** Subscribes a URL to an event; afterwards shows the secret that signs the deliveries, once. */
export function HookForm({ onClose }: { readonly onClose: () => void }) {
  const [secret, setSecret] = useState<string>();
  const client = useQueryClient();
  const { onSubmit, isBusy, errorOf, formError } = useSubmit(async (values) => {
    const made = await read(api.POST("/console/api/hooks", { body: bodyOf(values) }));
    await client.invalidateQueries({ queryKey: ["hooks"] });
    setSecret(made.secret);
  });
  if (secret !== undefined) {
    return (
      <OneTimeSecret title="Subscribed" label="Secret" secret={secret} onClose={onClose}>
        Deliveries are signed with this secret. It is not shown again; you can make a new one at any time.
      </OneTimeSecret>
    );
  }
  const error = formError(["target_url", "event", "agent_id", "team_id"]);
  return (
    <Dialog title="New subscription" isOpen onClose={onClose}>
      <form onSubmit={onSubmit} className="flex flex-col gap-4">
        {error !== undefined && <FormError>{error}</FormError>}
        <Field label="URL" error={errorOf("target_url")} help="Your endpoint; it answers any 2xx.">
          <Input
            name="target_url"
            type="url"
            required
            autoFocus
            autoComplete="off"
            placeholder="https://example.com/muster"
          />
        </Field>
        <Field label="Event" error={errorOf("event")}>
          <Select name="event" defaultValue="task_completed">
            {HOOK_EVENTS.map((event) => (
              <option key={event} value={event}>
                {eventLabel(event)}
              </option>
            ))}
          </Select>
        </Field>
        <Field label="Of" error={errorOf("agent_id") ?? errorOf("team_id")}>
          <RecordField name="of" kinds={ASSIGNEE_KINDS} initial="" none="Every agent and team" />
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" type="submit" isBusy={isBusy}>
            Subscribe
          </Button>
        </DialogActions>
      </form>
    </Dialog>
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
