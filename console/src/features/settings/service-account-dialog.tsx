import { createServiceAccount, deleteServiceAccount, updateServiceAccount } from "#client/gen/operations/members.ts";
import { call } from "../../api/client.ts";
import { useChanged } from "../../api/use-changed.ts";
import { useBlockedBy } from "../../api/use-session.ts";
import { textIn } from "../../forms/use-submit.ts";
import type { Edited } from "../../forms/use-edited.ts";
import { oneOf } from "../../lib/search.ts";
import { TextField } from "../../ui/field.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { RecordDialog } from "../../ui/record-dialog.tsx";
import { EndingKeys } from "./ending-keys.tsx";
import { networksIn } from "./key-limits.ts";
import { NetworksField } from "./networks-field.tsx";
import { readServiceAccount } from "./queries.ts";
import type { ServiceAccount } from "./queries.ts";
import { GIVEN_ROLES, ROLES, ROLE_LABELS } from "./roles.ts";

const ACTS = "What acts, such as a server or a pipeline.";

/** Creates, changes or removes a service account. @param account undefined for a new one */
export function ServiceAccountDialog({
  account,
  onClose,
}: {
  readonly account: ServiceAccount | undefined;
  readonly onClose: () => void;
}) {
  const blockedBy = useBlockedBy("admin");
  const isFixed = account?.client != null;
  const changed = useChanged("service-accounts", "keys");
  async function save(values: FormData, { changesOf }: Edited<ServiceAccount>): Promise<void> {
    const role = oneOf(textIn(values, "role"), GIVEN_ROLES) ?? "member";
    const named = { name: textIn(values, "name"), role };
    const networks = networksIn(values);
    if (account === undefined) await call(createServiceAccount)({ ...named, networks });
    else await call(updateServiceAccount)({ id: account.id }, await changesOf({ ...(!isFixed && named), networks }));
    await changed();
  }
  async function remove(id: string): Promise<void> {
    await call(deleteServiceAccount)({ id });
    await changed();
  }
  return (
    <RecordDialog
      title={account?.name ?? "New service account"}
      action={account === undefined ? "Create account" : "Save account"}
      draft={`service-account.${account?.id ?? "new"}`}
      record={account}
      read={async (opened) => (await readServiceAccount(opened.id)) ?? opened}
      blockedBy={blockedBy}
      removal={
        account && {
          title: `Remove the service account ${account.name}?`,
          action: "Remove account",
          effect: <EndingKeys userId={account.id} />,
          remove: () => remove(account.id),
        }
      }
      save={save}
      onSaved={onClose}
      onClose={onClose}
    >
      <NameAndRole isFixed={isFixed} isNew={account === undefined} />
      <NetworksField networks={account?.networks ?? null} />
    </RecordDialog>
  );
}

/** @param props.isFixed whether the service's settings decide both */
function NameAndRole({ isFixed, isNew }: { readonly isFixed: boolean; readonly isNew: boolean }) {
  return (
    <fieldset disabled={isFixed} className="contents">
      <TextField
        name="name"
        label="Name"
        help={isFixed ? "OIDC_CLIENTS, a setting of the service, decides name and role." : ACTS}
        autoFocus={isNew}
        placeholder="Deploys"
      />
      <SelectField name="role" label="Role" defaultValue="member">
        {(isFixed ? ROLES : GIVEN_ROLES).map((role) => (
          <option key={role} value={role}>
            {ROLE_LABELS[role]}
          </option>
        ))}
      </SelectField>
    </fieldset>
  );
}
