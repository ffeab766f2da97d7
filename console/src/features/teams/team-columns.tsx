import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../api/use-session.ts";
import { plural } from "../../lib/format.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { ROW_LINK } from "../../ui/row-link.ts";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { MODE_LABELS, ModePicture } from "./modes.tsx";
import { isDraft } from "./queries.ts";
import type { Team } from "./queries.ts";

/** The teams: what each is, and whether it can run. */
export const TEAM_COLUMNS: readonly Column<Team>[] = [
  { head: "Team", cell: (team) => <Name team={team} /> },
  {
    head: "Mode",
    from: "md",
    width: "w-96",
    cell: ({ mode }) => <span className="block truncate text-ink-2">{MODE_LABELS[mode].sentence}</span>,
  },
  {
    head: "Agents",
    from: "sm",
    width: "w-24",
    align: "end",
    cell: ({ members }) => <span className="text-ink-2">{members.length > 0 && plural(members.length, "agent")}</span>,
  },
  {
    head: "Changed",
    from: "md",
    width: "w-28",
    align: "end",
    cell: ({ updated_at: at }) => (
      <span className="text-ink-2">
        <Time at={at} />
      </span>
    ),
  },
];

function Name({ team }: { readonly team: Team }) {
  const { slug } = useWorkspace();
  const { id, name, mode } = team;
  return (
    <span className="flex items-center gap-3">
      <ModePicture mode={mode} />
      <span className="min-w-0">
        <Link to="/w/$workspace/teams/$id" params={{ workspace: slug, id }} data-row dir="auto" className={ROW_LINK}>
          {visibleText(name)}
        </Link>
        {isDraft(team) ? (
          <span className="block text-small text-waiting">Draft, cannot run</span>
        ) : (
          <span className="block truncate text-small text-ink-3 md:hidden">{MODE_LABELS[mode].label}</span>
        )}
      </span>
    </span>
  );
}
