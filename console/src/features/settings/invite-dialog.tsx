import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { createInvitation } from "#client/gen/operations/members.ts";
import { call } from "../../api/client.ts";
import { useAccess } from "../../api/use-session.ts";
import { oneOf } from "../../lib/search.ts";
import { textIn } from "../../forms/use-submit.ts";
import { TextField } from "../../ui/field.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { OneTimeSecret } from "../../ui/one-time-secret.tsx";
import { RecordDialog } from "../../ui/record-dialog.tsx";
import { ROLES, ROLE_LABELS } from "./roles.ts";

interface Invitation {
  readonly email: string;
  readonly link: string;
  readonly mailed: boolean;
}

/** Invites a person by a link, which is shown once, and mailed where this instance sends mails. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const { role: own } = useAccess();
  const [made, setMade] = useState<Invitation>();
  async function save(values: FormData): Promise<Invitation> {
    const role = oneOf(textIn(values, "role"), ROLES) ?? "member";
    return call(createInvitation)({ email: textIn(values, "email"), role });
  }
  async function saved(invitation: Invitation): Promise<void> {
    setMade(invitation);
    await client.invalidateQueries({ queryKey: ["invitations"] });
  }
  if (made !== undefined) {
    return (
      <OneTimeSecret label="Link" title={`Invitation for ${made.email}`} secret={made.link} onClose={onClose}>
        {made.mailed
          ? "The person gets a mail with a link of their own. This one works, too, within seven days, and is shown only now."
          : "Send this link to the person. It works once, within seven days, and is shown only now."}
      </OneTimeSecret>
    );
  }
  return (
    <RecordDialog
      title="Invite a person"
      action="Create link"
      draft="invitation"
      save={save}
      onSaved={saved}
      onClose={onClose}
    >
      <TextField name="email" label="E-mail address" type="email" autoFocus />
      <SelectField name="role" label="Role" defaultValue="member">
        {ROLES.slice(0, ROLES.indexOf(own) + 1).map((role) => (
          <option key={role} value={role}>
            {ROLE_LABELS[role]}
          </option>
        ))}
      </SelectField>
    </RecordDialog>
  );
}
