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
  const { name, is_enabled: isEnabled, route_name: route } = alert;
  const [isDeleting, setDeleting] = useState(false);
  const blockedBy = useBlockedBy("member");
  const { edit, sendTest, toggle } = useAlertActions(alert);
  return (
    <>
      <Menu trigger={<IconButton label={`Actions for ${name}`} icon={MoreIcon} />}>
        <MenuItem blockedBy={blockedBy} onSelect={edit}>
          Edit
        </MenuItem>
        <MenuItem
          blockedBy={blockedBy ?? (route === null ? "This alert has no destination." : undefined)}
          onSelect={sendTest}
        >
          Send a test
        </MenuItem>
        <MenuItem blockedBy={blockedBy} onSelect={toggle}>
          {isEnabled ? "Disable" : "Enable"}
        </MenuItem>
        <MenuSeparator />
        <MenuItem look="danger" blockedBy={blockedBy} onSelect={() => setDeleting(true)}>
          Delete
        </MenuItem>
      </Menu>
      {isDeleting && <DeleteAlert alert={alert} onClose={() => setDeleting(false)} />}
    </>
  );
}

function DeleteAlert({ alert, onClose }: { readonly alert: Alert; readonly onClose: () => void }) {
  const changed = useChanged();
  return (
    <Confirm
      title={`Delete the alert "${alert.name}"?`}
      action="Delete alert"
      onClose={onClose}
      onConfirm={async () => {
        await call(deleteAlert)({ id: alert.id });
        await changed();
      }}
    >
      <p>Nothing is sent any more, not even if it fires now. The log of its deliveries stays.</p>
    </Confirm>
  );
}

function useAlertActions({ id, is_enabled: isEnabled }: Alert) {
  const { slug } = useWorkspace();
  const navigate = useNavigate();
  const changed = useChanged();
  const orSay = (work: Promise<unknown>) => void work.catch((error: unknown) => showToast(asProblem(error).message));

  async function send(): Promise<void> {
    const { id: delivery } = await call(testAlert)({ id });
    await navigate({
      to: "/w/$workspace/destinations",
      params: { workspace: slug },
      search: { tab: "deliveries", delivery },
    });
  }

  return {
    edit: () => void navigate({ to: ".", search: (before) => ({ ...before, alert: id }) }),
    sendTest: () => orSay(send()),
    toggle: () => orSay(call(updateAlert)({ id }, { is_enabled: !isEnabled }).then(changed)),
  };
}

function useChanged() {
  const client = useQueryClient();
  return () => client.invalidateQueries({ queryKey: ["alerts"] });
}
