import { useNavigate } from "@tanstack/react-router";
import { deleteSchedule, runSchedule, updateSchedule } from "#client/gen/operations/schedules.ts";
import { call } from "../../api/client.ts";
import { useChanged } from "../../api/use-changed.ts";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { Button } from "../../ui/button.tsx";
import { PlayIcon } from "../../ui/icons.ts";
import { MenuItem } from "../../ui/menu.tsx";
import { orTell, showToast } from "../../ui/messages.ts";
import { RecordMenu } from "../../ui/record-menu.tsx";
import { useAction } from "../../ui/use-action.ts";
import type { Schedule } from "./records.ts";

/** What can be done with a schedule: run it now, pause or resume, edit, delete. */
export function ScheduleActions({ schedule }: { readonly schedule: Schedule }) {
  const { id, name, is_active: isActive } = schedule;
  const blockedBy = useBlockedBy("member");
  const { slug } = useWorkspace();
  const navigate = useNavigate();
  const changed = useChanged("schedules");
  const pause = () => orTell(call(updateSchedule)({ id }, { is_active: !isActive }).then(changed));
  const run = useAction(async () => {
    const { task_id: task } = await call(runSchedule)({ id });
    await changed();
    showToast("A task was created.", {
      label: "Open run",
      onClick: () =>
        void (task !== null && navigate({ to: "/w/$workspace/runs/$id", params: { workspace: slug, id: task } })),
    });
  });

  async function remove(): Promise<void> {
    await call(deleteSchedule)({ id });
    await navigate({ to: "/w/$workspace/schedules", params: { workspace: slug } });
    await changed();
  }

  return (
    <>
      <Button blockedBy={blockedBy} onClick={pause}>
        {isActive ? "Pause" : "Resume"}
      </Button>
      <Button look="primary" icon={PlayIcon} isBusy={run.isBusy} blockedBy={blockedBy} onClick={run.act}>
        Run now
      </Button>
      <RecordMenu
        blockedBy={blockedBy}
        deletion="Delete"
        removal={{
          title: `Delete the schedule "${name}"?`,
          action: "Delete schedule",
          effect: "Its log goes with it. The tasks that it made stay.",
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
    </>
  );
}
