import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { deleteTrigger, rotateTrigger, updateTrigger } from "#client/gen/operations/triggers.ts";
import { call } from "../../api/client.ts";
import { asProblem } from "../../api/problem.ts";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { AT_EDGE, Button, IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { MoreIcon } from "../../ui/icons.ts";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { showToast } from "../../ui/messages.ts";
import { TriggerUrlDialog } from "./trigger-url-dialog.tsx";
import type { ShownTrigger, Trigger } from "./records.ts";

/** What can be done with a trigger: pause or resume, edit, give it a new URL, delete. */
export function TriggerActions({ trigger }: { readonly trigger: Trigger }) {
  const { id, is_active: isActive } = trigger;
  const [asking, setAsking] = useState<"rotate" | "delete">();
  const [shown, setShown] = useState<ShownTrigger>();
  const blockedBy = useBlockedBy("member");
  const navigate = useNavigate();
  const client = useQueryClient();
  const pause = () =>
    call(updateTrigger)({ id }, { is_active: !isActive })
      .then(() => client.invalidateQueries({ queryKey: ["triggers"] }))
      .catch((error: unknown) => showToast(asProblem(error).message));
  return (
    <>
      <Button blockedBy={blockedBy} onClick={() => void pause()}>
        {isActive ? "Pause" : "Resume"}
      </Button>
      <Button blockedBy={blockedBy} onClick={() => setAsking("rotate")}>
        New URL
      </Button>
      <Menu trigger={<IconButton label="More actions" icon={MoreIcon} className={AT_EDGE} />}>
        <MenuItem
          blockedBy={blockedBy}
          onSelect={() => void navigate({ to: ".", search: (before) => ({ ...before, edit: "yes" as const }) })}
        >
          Edit
        </MenuItem>
        <MenuSeparator />
        <MenuItem look="danger" blockedBy={blockedBy} onSelect={() => setAsking("delete")}>
          Delete
        </MenuItem>
      </Menu>
      {asking === "rotate" && <Rotate trigger={trigger} onShown={setShown} onClose={() => setAsking(undefined)} />}
      {asking === "delete" && <Delete trigger={trigger} onClose={() => setAsking(undefined)} />}
      {shown !== undefined && <TriggerUrlDialog trigger={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

interface AskProps {
  readonly trigger: Trigger;
  readonly onClose: () => void;
}

function Rotate({ trigger, onShown, onClose }: AskProps & { readonly onShown: (trigger: ShownTrigger) => void }) {
  const client = useQueryClient();
  return (
    <Confirm
      title={`Give "${trigger.name}" a new URL?`}
      action="Create new URL"
      onClose={onClose}
      onConfirm={async () => {
        onShown(await call(rotateTrigger)({ id: trigger.id }));
        await client.invalidateQueries({ queryKey: ["triggers"] });
      }}
    >
      <p>The old URL stops working at once. Senders need the new one.</p>
    </Confirm>
  );
}

function Delete({ trigger, onClose }: AskProps) {
  const { slug } = useWorkspace();
  const navigate = useNavigate();
  const client = useQueryClient();
  return (
    <Confirm
      title={`Delete the trigger "${trigger.name}"?`}
      action="Delete trigger"
      onClose={onClose}
      onConfirm={async () => {
        await call(deleteTrigger)({ id: trigger.id });
        await navigate({ to: "/w/$workspace/triggers", params: { workspace: slug } });
        await client.invalidateQueries({ queryKey: ["triggers"] });
      }}
    >
      <p>Its URL stops working, and its log goes with it. The tasks that it made stay.</p>
    </Confirm>
  );
}
