import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, read } from "../../api/client.ts";
import { useAccess } from "../../api/use-session.ts";
import { oneOf } from "../../lib/search.ts";
import { textIn, useSubmit } from "../../lib/use-submit.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, DialogActions } from "../../ui/dialog.tsx";
import { Field, FormError, Input, Select } from "../../ui/field.tsx";
import { ROLES, ROLE_LABELS } from "./roles.ts";
import { OneTimeSecret } from "../../ui/one-time-secret.tsx";

/** Invites a person by a link, which is shown once: this service sends no mail. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const { role: own } = useAccess();
  const [made, setMade] = useState<{ readonly email: string; readonly link: string }>();
  const { onSubmit, isBusy, errorOf, formError } = useSubmit(async (values) => {
    const role = oneOf(textIn(values, "role"), ROLES) ?? "member";
    setMade(await read(api.POST("/console/api/invitations", { body: { email: textIn(values, "email"), role } })));
    await client.invalidateQueries({ queryKey: ["invitations"] });
  });
  if (made !== undefined) {
    return (
      <OneTimeSecret label="Link" title={`Invitation for ${made.email}`} secret={made.link} onClose={onClose}>
        Send this link to the person. It works once, within seven days, and is shown only now.
      </OneTimeSecret>
    );
  }
  const error = formError(["email", "role"]);
  return (
    <Dialog title="Invite a person" isOpen onClose={onClose}>
      <form onSubmit={onSubmit} className="flex flex-col gap-4">
        {error !== undefined && <FormError>{error}</FormError>}
        <Field label="E-mail address" error={errorOf("email")}>
          <Input name="email" type="email" autoFocus autoComplete="off" />
        </Field>
        <Field label="Role" error={errorOf("role")}>
          <Select name="role" defaultValue="member">
            {ROLES.slice(0, ROLES.indexOf(own) + 1).map((role) => (
              <option key={role} value={role}>
                {ROLE_LABELS[role]}
              </option>
            ))}
          </Select>
        </Field>
        <DialogActions>
          <Button onClick={onClose}>Close</Button>
          <Button look="primary" type="submit" isBusy={isBusy}>
            Create link
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
