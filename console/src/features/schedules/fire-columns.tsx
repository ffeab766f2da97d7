import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../api/use-session.ts";
import { duration, plural, zonedTime } from "../../lib/format.ts";
import { StateChip } from "../../ui/state.tsx";
import { ROW_LINK } from "../../ui/row-link.ts";
import type { Column } from "../../ui/table.tsx";
import type { Fire } from "./records.ts";

const OUTCOMES = {
  fired: { state: "completed", words: "Fired" },
  manual: { state: "completed", words: "Run now" },
  missed: { state: "cancelled", words: "Missed" },
  overlap: { state: "cancelled", words: "Overlap" },
  quota: { state: "failed", words: "Quota" },
} as const;
const REASONS = {
  fired: "Created a task",
  manual: "Created a task, by hand",
  missed: "No process was there",
  overlap: "The last task had not ended",
  quota: "The workspace's quota was used up",
} as const;

/** What became of a schedule's times, with how late they were. @param zone the schedule's */
export function fireColumns(zone: string): readonly Column<Fire>[] {
  return [
    { head: "Outcome", cell: ({ outcome }) => <Outcome outcome={outcome} />, width: "w-28" },
    { head: "What", cell: (fire) => <What fire={fire} /> },
    {
      head: `Time, ${zone}`,
      cell: ({ scheduled_at: at }) => <time dateTime={at}>{zonedTime(new Date(at), zone)}</time>,
      from: "md",
      width: "w-64",
    },
    {
      head: "Late",
      cell: ({ late_ms: ms, outcome }) => outcome !== "manual" && duration(ms),
      align: "end",
      width: "w-24",
    },
  ];
}

function Outcome({ outcome }: Pick<Fire, "outcome">) {
  const { state, words } = OUTCOMES[outcome];
  return <StateChip state={state}>{words}</StateChip>;
}

function What({ fire }: { readonly fire: Fire }) {
  const { slug } = useWorkspace();
  const { outcome, task_id: task, ticks } = fire;
  const words = ticks > 1 ? `${REASONS[outcome]}, ${plural(ticks, "time")}` : REASONS[outcome];
  if (task === null) return <span className="text-ink-2">{words}</span>;
  return (
    <Link to="/w/$workspace/runs/$id" params={{ workspace: slug, id: task }} data-row className={ROW_LINK}>
      {words}
    </Link>
  );
}
