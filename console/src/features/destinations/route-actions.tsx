import { useNavigate } from "@tanstack/react-router";
import { deleteRoute, updateRoute } from "#client/gen/operations/output-routes.ts";
import { call } from "../../api/client.ts";
import { useChanged } from "../../api/use-changed.ts";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { Button } from "../../ui/button.tsx";
import { PlayIcon } from "../../ui/icons.ts";
import { MenuItem } from "../../ui/menu.tsx";
import { orTell } from "../../ui/messages.ts";
import { RecordMenu } from "../../ui/record-menu.tsx";
import { useAction } from "../../ui/use-action.ts";
import type { Route } from "./records.ts";
import { useSendTest } from "./use-send-test.ts";

const RESULTS_END =
  "Results and alerts are not delivered there any more, and alerts that watch only this route are deleted. " +
  "The log of its deliveries stays.";
const TALK_ENDS =
  "Nobody is answered there any more, and answers in progress stay as they are. " +
  "The conversations and the log of its deliveries stay.";

/** What can be done with a route: send a test, edit, pause or resume, delete. */
export function RouteActions({ route }: { readonly route: Route }) {
  const { id, name, kind, is_active: isActive } = route;
  const mayTest = useBlockedBy("member");
  const mayChange = useBlockedBy("admin");
  const { slug } = useWorkspace();
  const navigate = useNavigate();
  const changed = useChanged("routes");
  const sendTest = useSendTest();
  const path = { id };
  const test = useAction(async () => {
    const delivery = await sendTest(id);
    if (delivery !== undefined) await navigate({ to: ".", search: (before) => ({ ...before, delivery }) });
  });

  async function remove(): Promise<void> {
    await call(deleteRoute)(path);
    await changed();
    await navigate({ to: "/w/$workspace/destinations", params: { workspace: slug } });
  }

  return (
    <>
      {kind !== "agent" && (
        <Button look="primary" icon={PlayIcon} isBusy={test.isBusy} blockedBy={mayTest} onClick={test.act}>
          Send test
        </Button>
      )}
      <RecordMenu
        blockedBy={mayChange}
        deletion="Delete"
        removal={{
          title: `Delete the route "${name}"?`,
          action: "Delete route",
          effect: kind === "agent" ? TALK_ENDS : RESULTS_END,
          remove,
        }}
        after={mayChange !== undefined && <p className="max-w-56 px-2 py-1 text-small text-ink-3">{mayChange}</p>}
      >
        <MenuItem
          blockedBy={mayChange}
          onSelect={() => void navigate({ to: ".", search: (before) => ({ ...before, edit: id }) })}
        >
          Edit
        </MenuItem>
        <MenuItem
          blockedBy={mayChange}
          onSelect={() => orTell(call(updateRoute)(path, { is_active: !isActive }).then(changed))}
        >
          {isActive ? "Pause" : "Resume"}
        </MenuItem>
      </RecordMenu>
    </>
  );
}
