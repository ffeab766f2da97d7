import { useState } from "react";
import { eraseWorkspace, setWorkspacePlan } from "#client/gen/operations/workspaces.ts";
import { call } from "../../api/client.ts";
import { useChanged } from "../../api/use-changed.ts";
import { useWorkspace } from "../../api/use-session.ts";
import { capitalized } from "../../lib/format.ts";
import { IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { MoreIcon } from "../../ui/icons.ts";
import { Menu, MenuChoice, MenuItem, MenuLabel, MenuSeparator } from "../../ui/menu.tsx";
import { orTell, showToast } from "../../ui/messages.ts";
import { TypedConfirm } from "../../ui/typed-confirm.tsx";
import type { Tenant } from "./queries.ts";

const PLANS = (["free", "pro", "team", "enterprise"] as const).map((value) => ({ value, label: capitalized(value) }));
const FIRST = "The first workspace operates the instance.";

/** What the operator can do with a workspace: set its plan, hold or release it, erase it. */
export function TenantMenu({ tenant: { id, name, plan, held_at: heldAt } }: { readonly tenant: Tenant }) {
  const [asked, setAsked] = useState<"hold" | "erase">();
  const changed = useChanged("tenants");
  const blockedBy = useWorkspace().id === id ? FIRST : undefined;
  const change = (body: { plan: Tenant["plan"] } | { held: boolean }) =>
    call(setWorkspacePlan)({ id }, body).then(changed);
  const close = () => setAsked(undefined);
  return (
    <>
      <Menu trigger={<IconButton label={`Actions for ${name}`} icon={MoreIcon} />}>
        <MenuLabel>Plan</MenuLabel>
        <MenuChoice value={plan} options={PLANS} onChange={(next) => orTell(change({ plan: next }))} />
        <MenuSeparator />
        {heldAt === null ? (
          <MenuItem blockedBy={blockedBy} onSelect={() => setAsked("hold")}>
            Hold
          </MenuItem>
        ) : (
          <MenuItem onSelect={() => orTell(change({ held: false }))}>Release</MenuItem>
        )}
        <MenuItem look="danger" blockedBy={blockedBy} onSelect={() => setAsked("erase")}>
          Erase
        </MenuItem>
      </Menu>
      {asked === "hold" && (
        <Confirm
          title={`Hold "${name}"?`}
          action="Hold workspace"
          onConfirm={() => change({ held: true })}
          onClose={close}
        >
          <p>It is read as before, but nothing new is stored in it. Its runs stop where they are until its release.</p>
        </Confirm>
      )}
      {asked === "erase" && <EraseTenant id={id} name={name} onClose={close} />}
    </>
  );
}

function EraseTenant({
  id,
  name,
  onClose,
}: Pick<Tenant, "id" | "name"> & {
  readonly onClose: () => void;
}) {
  const changed = useChanged("tenants");
  async function erase(confirm: string): Promise<void> {
    await call(eraseWorkspace)({ id, confirm });
    await changed();
    showToast(`Access to "${name}" has ended. Its rows and files are deleted in the background.`);
    onClose();
  }
  return (
    <TypedConfirm
      title={`Erase the workspace "${name}"?`}
      name={name}
      action="Erase workspace"
      effect="Everything in it is deleted for good, and its people lose access now. This cannot be undone."
      onConfirm={erase}
      onClose={onClose}
    />
  );
}
