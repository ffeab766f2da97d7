import { useNavigate } from "@tanstack/react-router";
import { deleteAlert, testAlert, updateAlert } from "#client/gen/operations/alerts.ts";
import { call } from "../../api/client.ts";
import { useChanged } from "../../api/use-changed.ts";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { MenuItem } from "../../ui/menu.tsx";
import { orTell } from "../../ui/messages.ts";
import { RecordMenu } from "../../ui/record-menu.tsx";
import type { Alert } from "./kinds.ts";

/** What can be done with an alert: edit, send a test, enable or disable, delete. */
export function AlertMenu({ alert }: { readonly alert: Alert }) {
  const { id, name, is_enabled: isEnabled, route_name: route } = alert;
  const blockedBy = useBlockedBy("member");
  const { slug } = useWorkspace();
  const navigate = useNavigate();
  const changed = useChanged("alerts");

  async function sendTest(): Promise<void> {
    const { id: delivery } = await call(testAlert)({ id });
    await navigate({
      to: "/w/$workspace/destinations",
      params: { workspace: slug },
      search: { tab: "deliveries", delivery },
    });
  }

  return (
    <RecordMenu
      name={name}
      blockedBy={blockedBy}
      deletion="Delete"
      removal={{
        title: `Delete the alert "${name}"?`,
        action: "Delete alert",
        effect: "Nothing is sent any more, not even if it fires now. The log of its deliveries stays.",
        remove: () => call(deleteAlert)({ id }).then(changed),
      }}
    >
      <MenuItem
        blockedBy={blockedBy}
        onSelect={() => void navigate({ to: ".", search: (before) => ({ ...before, alert: id }) })}
      >
        Edit
      </MenuItem>
      <MenuItem
        blockedBy={blockedBy ?? (route === null ? "This alert has no destination." : undefined)}
        onSelect={() => orTell(sendTest())}
      >
        Send a test
      </MenuItem>
      <MenuItem
        blockedBy={blockedBy}
        onSelect={() => orTell(call(updateAlert)({ id }, { is_enabled: !isEnabled }).then(changed))}
      >
        {isEnabled ? "Disable" : "Enable"}
      </MenuItem>
    </RecordMenu>
  );
}
