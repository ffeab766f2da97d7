import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { deleteAlert, testAlert, updateAlert } from "#client/gen/operations/alerts.ts";
import { call } from "../../api/client.ts";
import { asProblem } from "../../api/problem.ts";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { MoreIcon } from "../../ui/icons.ts";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { showToast } from "../../ui/messages.ts";
import type { Alert } from "./kinds.ts";

/** What can be done with an alert: edit, send a test, enable or disable, delete. */
export function AlertMenu({ alert }: { readonly alert: Alert }) {
  const { id, name, is_enabled: isEnabled, route_name: route } = alert;
  const [isDeleting, setDeleting] = useState(false);
  const blockedBy = useBlockedBy("member");
  const { slug } = useWorkspace();
  const navigate = useNavigate();
  const client = useQueryClient();
  const changed = () => client.invalidateQueries({ queryKey: ["alerts"] });
  const orSay = (work: Promise<unknown>) => void work.catch((error: unknown) => showToast(asProblem(error).message));

  async function sendTest(): Promise<void> {
    const { id: delivery } = await call(testAlert)({ id });
    await navigate({
      to: "/w/$workspace/destinations",
      params: { workspace: slug },
      search: { tab: "deliveries", delivery },
    });
  }

  return (
    <>
      <Menu trigger={<IconButton label={`Actions for ${name}`} icon={MoreIcon} />}>
        <MenuItem
          blockedBy={blockedBy}
          onSelect={() => void navigate({ to: ".", search: (before) => ({ ...before, alert: id }) })}
        >
          Edit
        </MenuItem>
        <MenuItem
          blockedBy={blockedBy ?? (route === null ? "This alert has no destination." : undefined)}
          onSelect={() => orSay(sendTest())}
        >
          Send a test
        </MenuItem>
        <MenuItem
          blockedBy={blockedBy}
          onSelect={() => orSay(call(updateAlert)({ id }, { is_enabled: !isEnabled }).then(changed))}
        >
          {isEnabled ? "Disable" : "Enable"}
        </MenuItem>
        <MenuSeparator />
        <MenuItem look="danger" blockedBy={blockedBy} onSelect={() => setDeleting(true)}>
          Delete
        </MenuItem>
      </Menu>
      {isDeleting && (
        <Confirm
          title={`Delete the alert "${name}"?`}
          action="Delete alert"
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await call(deleteAlert)({ id });
            await changed();
          }}
        >
          <p>Nothing is sent any more, not even if it fires now. The log of its deliveries stays.</p>
        </Confirm>
      )}
    </>
  );
}
