import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { deleteSchedule, runSchedule, updateSchedule } from "#client/gen/operations/schedules.ts";
import { call } from "../../api/client.ts";
import { asProblem } from "../../api/problem.ts";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { AT_EDGE, Button, IconButton } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { MoreIcon, PlayIcon } from "../../ui/icons.ts";
import { Menu, MenuItem, MenuSeparator } from "../../ui/menu.tsx";
import { showToast } from "../../ui/messages.ts";
import type { Schedule } from "./records.ts";

/** What can be done with a schedule: run it now, pause or resume, edit, delete. */
export function ScheduleActions({ schedule }: { readonly schedule: Schedule }) {
  const { id, name, is_active: isActive } = schedule;
  const [isRunning, setRunning] = useState(false);
  const [isDeleting, setDeleting] = useState(false);
  const blockedBy = useBlockedBy("member");
  const { slug } = useWorkspace();
  const navigate = useNavigate();
  const client = useQueryClient();
  const changed = () => client.invalidateQueries({ queryKey: ["schedules"] });
  const pause = () =>
    call(updateSchedule)({ id }, { is_active: !isActive })
      .then(changed)
      .catch((error: unknown) => showToast(asProblem(error).message));

  async function run(): Promise<void> {
    setRunning(true);
    try {
      const { task_id: task } = await call(runSchedule)({ id });
      await changed();
      showToast("A task was created.", {
        label: "Open run",
        onClick: () =>
          void (task !== null && navigate({ to: "/w/$workspace/runs/$id", params: { workspace: slug, id: task } })),
      });
    } catch (error) {
      showToast(asProblem(error).message);
    } finally {
      setRunning(false);
    }
  }

  return (
    <>
      <Button blockedBy={blockedBy} onClick={() => void pause()}>
        {isActive ? "Pause" : "Resume"}
      </Button>
      <Button look="primary" icon={PlayIcon} isBusy={isRunning} blockedBy={blockedBy} onClick={() => void run()}>
        Run now
      </Button>
      <Menu trigger={<IconButton label="More actions" icon={MoreIcon} className={AT_EDGE} />}>
        <MenuItem
          blockedBy={blockedBy}
          onSelect={() => void navigate({ to: ".", search: (before) => ({ ...before, edit: "yes" as const }) })}
        >
          Edit
        </MenuItem>
        <MenuSeparator />
        <MenuItem look="danger" blockedBy={blockedBy} onSelect={() => setDeleting(true)}>
          Delete
        </MenuItem>
      </Menu>
      {isDeleting && (
        <Confirm
          title={`Delete the schedule "${name}"?`}
          action="Delete schedule"
          onClose={() => setDeleting(false)}
          onConfirm={async () => {
            await call(deleteSchedule)({ id });
            await navigate({ to: "/w/$workspace/schedules", params: { workspace: slug } });
            await changed();
          }}
        >
          <p>Its log goes with it. The tasks that it made stay.</p>
        </Confirm>
      )}
    </>
  );
}
