import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { deleteRoute, updateRoute } from "#client/gen/operations/output-routes.ts";
import { call } from "../../api/client.ts";
import { asProblem } from "../../api/problem.ts";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { AT_EDGE, Button, IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { MoreIcon, PlayIcon } from "../../ui/icons.ts";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { showToast } from "../../ui/messages.ts";
import type { Route } from "./records.ts";
import { useSendTest } from "./use-send-test.ts";

/** What can be done with a route: send a test, edit, pause or resume, delete. */
export function RouteActions({ route }: { readonly route: Route }) {
  const { id, name, is_active: isActive } = route;
  const [isSending, setSending] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const mayTest = useBlockedBy("member");
  const mayChange = useBlockedBy("admin");
  const { slug } = useWorkspace();
  const navigate = useNavigate();
  const client = useQueryClient();
  const sendTestTo = useSendTest();
  const path = { id };
  const change = (isOn: boolean) =>
    call(updateRoute)(path, { is_active: isOn })
      .then(() => client.invalidateQueries({ queryKey: ["routes"] }))
      .catch((error: unknown) => showToast(asProblem(error).message));

  async function sendTest(): Promise<void> {
    setSending(true);
    const delivery = await sendTestTo(id);
    setSending(false);
    if (delivery !== undefined) await navigate({ to: ".", search: (before) => ({ ...before, delivery }) });
  }

  return (
    <>
      <Button look="primary" icon={PlayIcon} isBusy={isSending} blockedBy={mayTest} onClick={() => void sendTest()}>
        Send test
      </Button>
      <Menu trigger={<IconButton label="More actions" icon={MoreIcon} className={AT_EDGE} />}>
        <MenuItem
          blockedBy={mayChange}
          onSelect={() => void navigate({ to: ".", search: (before) => ({ ...before, edit: id }) })}
        >
          Edit
        </MenuItem>
        <MenuItem blockedBy={mayChange} onSelect={() => void change(!isActive)}>
          {isActive ? "Pause" : "Resume"}
        </MenuItem>
        <MenuSeparator />
        <MenuItem look="danger" blockedBy={mayChange} onSelect={() => setDeleting(true)}>
          Delete
        </MenuItem>
        {mayChange !== undefined && <p className="max-w-56 px-2 py-1 text-small text-ink-3">{mayChange}</p>}
      </Menu>
      {isDeleting && (
        <Confirm
          title={`Delete the route "${name}"?`}
          action="Delete route"
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await call(deleteRoute)(path);
            await client.invalidateQueries({ queryKey: ["routes"] });
            await navigate({ to: "/w/$workspace/destinations", params: { workspace: slug } });
          }}
        >
          <p>
            Results and alerts are not delivered there any more, and alerts that watch only this route are deleted. The
            log of its deliveries stays.
          </p>
        </Confirm>
      )}
    </>
  );
}
