import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../api/use-session.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { ActiveChip } from "../../ui/active-chip.tsx";
import { ROW_LINK } from "../../ui/row-link.ts";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { AssigneeName } from "./assignee-name.tsx";
import type { Schedule } from "./records.ts";
import { cronLabel } from "./recurrence.ts";

/** The schedules with their next times. */
export const SCHEDULE_COLUMNS: readonly Column<Schedule>[] = [
  { head: "Name", cell: (schedule) => <Name schedule={schedule} /> },
  { head: "State", cell: ({ is_active: isActive }) => <ActiveChip isActive={isActive} />, width: "w-28" },
  { head: "For", cell: (schedule) => <AssigneeName of={schedule} />, from: "md", width: "w-48" },
  { head: "Last", cell: ({ last_fired_at: at }) => at !== null && <Time at={at} />, from: "md", width: "w-36" },
  { head: "Next", cell: (schedule) => <Next schedule={schedule} />, from: "sm", width: "w-36" },
];

function Name({ schedule }: { readonly schedule: Schedule }) {
  const { slug } = useWorkspace();
  const { id, name, cron, time_zone: zone } = schedule;
  return (
    <>
      <Link to="/w/$workspace/schedules/$id" params={{ workspace: slug, id }} data-row dir="auto" className={ROW_LINK}>
        {visibleText(name)}
      </Link>
      <span className="block truncate text-small text-ink-3">
        {cronLabel(cron)}, {zone}
      </span>
    </>
  );
}

function Next({ schedule }: { readonly schedule: Schedule }) {
  const [next] = schedule.next_times;
  return next === undefined ? <span className="text-ink-3">None</span> : <Time at={next} />;
}
