import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { deleteTrigger, rotateTrigger, updateTrigger } from "#client/gen/operations/triggers.ts";
import { call } from "../../api/client.ts";
import { useChanged } from "../../api/use-changed.ts";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { Button } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { MenuItem } from "../../ui/menu.tsx";
import { orTell } from "../../ui/messages.ts";
import { RecordMenu } from "../../ui/record-menu.tsx";
import { TriggerUrlDialog } from "./trigger-url-dialog.tsx";
import type { ShownTrigger, Trigger } from "./records.ts";

/** What can be done with a trigger: pause or resume, edit, give it a new URL, delete. */
export function TriggerActions({ trigger }: { readonly trigger: Trigger }) {
  const { id, name, is_active: isActive } = trigger;
  const [isRotating, setRotating] = useState(false);
  const [shown, setShown] = useState<ShownTrigger>();
  const blockedBy = useBlockedBy("member");
  const { slug } = useWorkspace();
  const navigate = useNavigate();
  const changed = useChanged("triggers");
  const pause = () => orTell(call(updateTrigger)({ id }, { is_active: !isActive }).then(changed));

  async function rotate(): Promise<void> {
    setShown(await call(rotateTrigger)({ id }));
    await changed();
  }

  async function remove(): Promise<void> {
    await call(deleteTrigger)({ id });
    await navigate({ to: "/w/$workspace/triggers", params: { workspace: slug } });
    await changed();
  }

  return (
    <>
      <Button blockedBy={blockedBy} onClick={pause}>
        {isActive ? "Pause" : "Resume"}
      </Button>
      <Button blockedBy={blockedBy} onClick={() => setRotating(true)}>
        New URL
      </Button>
      <RecordMenu
        blockedBy={blockedBy}
        deletion="Delete"
        removal={{
          title: `Delete the trigger "${name}"?`,
          action: "Delete trigger",
          effect: "Its URL stops working, and its log goes with it. The tasks that it made stay.",
          remove,
        }}
      >
        <MenuItem
          blockedBy={blockedBy}
          onSelect={() => void navigate({ to: ".", search: (before) => ({ ...before, edit: "yes" as const }) })}
        >
          Edit
        </MenuItem>
      </RecordMenu>
      {isRotating && <Rotation name={name} onConfirm={rotate} onClose={() => setRotating(false)} />}
      {shown !== undefined && <TriggerUrlDialog trigger={shown} onClose={() => setShown(undefined)} />}
    </>
  );
}

function Rotation({
  name,
  onConfirm,
  onClose,
}: {
  readonly name: string;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}) {
  return (
    <Confirm title={`Give "${name}" a new URL?`} action="Create new URL" onConfirm={onConfirm} onClose={onClose}>
      <p>The old URL stops working at once. Senders need the new one.</p>
    </Confirm>
  );
}
