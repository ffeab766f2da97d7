import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../api/use-session.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { ROW_LINK } from "../../ui/row-link.ts";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { RecentHealth } from "./health-strip.tsx";
import { RouteState } from "./route-state.tsx";
import { RouteTypeName } from "./route-type-name.tsx";
import type { Route } from "./records.ts";

/** The output routes: where they lead, and how their last deliveries went. */
export const ROUTE_COLUMNS: readonly Column<Route>[] = [
  { head: "Name", cell: (route) => <Name route={route} /> },
  { head: "State", cell: (route) => <RouteState route={route} />, width: "w-28" },
  { head: "Last 50 deliveries", cell: ({ id }) => <RecentHealth id={id} />, from: "md", width: "w-48" },
  {
    head: "Last delivered",
    cell: ({ last_success_at: at }) => at !== null && <Time at={at} />,
    from: "md",
    width: "w-36",
  },
];

function Name({ route }: { readonly route: Route }) {
  const { slug } = useWorkspace();
  return (
    <>
      <Link
        to="/w/$workspace/destinations/$id"
        params={{ workspace: slug, id: route.id }}
        data-row
        dir="auto"
        className={ROW_LINK}
      >
        {visibleText(route.name)}
      </Link>
      <span className="block truncate text-small text-ink-3">
        <RouteTypeName type={route.type} />
        {route.failures_in_row > 0 && route.is_active && (
          <span className="text-failed"> · {failedWords(route.failures_in_row)}</span>
        )}
      </span>
    </>
  );
}

function failedWords(count: number): string {
  return count === 1 ? "last delivery failed" : `${count} failed in a row`;
}
