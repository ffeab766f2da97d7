import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useBlockedBy, useWorkspace } from "../api/use-session.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import { NewPlanned } from "../features/schedules/new-planned.tsx";
import { PlannedFilters } from "../features/schedules/planned-filters.tsx";
import { schedulesPath, useSchedules } from "../features/schedules/queries.ts";
import { ScheduleForm } from "../features/schedules/schedule-form.tsx";
import { ScheduleTable } from "../features/schedules/schedule-table.tsx";
import { isNarrowed, readPlannedSearch } from "../features/schedules/search.ts";
import { curlLine } from "../lib/curl-line.ts";
import { buttonClass } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { PagedList } from "../ui/paged-list.tsx";
import { Empty } from "../ui/states.tsx";

const FROM = "/w/$workspace/schedules";
const EXAMPLE = {
  name: "Morning summary",
  cron: "0 9 * * 1-5",
  time_zone: "Europe/Berlin",
  title: "Summarise the day before",
  assigned_agent_id: "<agent id>",
};

/** The schedules: what is done at which times. */
export function SchedulesPage() {
  const search = readPlannedSearch(useSearch({ from: FROM }));
  const pages = useSchedules(search);
  const { slug } = useWorkspace();
  const navigate = useNavigate();
  const blockedBy = useBlockedBy("member");
  const close = () => void navigate({ to: ".", search: (before) => ({ ...before, edit: undefined }) });
  useApiCalls([
    { title: "List schedules", method: "GET", path: schedulesPath(search), command: "schedules list" },
    { title: "Create a schedule", method: "POST", path: "/console/api/schedules", body: EXAMPLE },
  ]);
  return (
    <Page title="Schedules" actions={<NewPlanned>New schedule</NewPlanned>}>
      <PlannedFilters search={search} />
      <PagedList
        pages={pages}
        empty={
          isNarrowed(search) ? (
            <Empty
              title="No schedule matches these filters"
              action={
                <Link to="/w/$workspace/schedules" params={{ workspace: slug }} className={buttonClass()}>
                  Clear filters
                </Link>
              }
            />
          ) : (
            <Empty
              title="No schedules yet"
              action={<NewPlanned>New schedule</NewPlanned>}
              command={curlLine("/console/api/schedules", EXAMPLE)}
            >
              A schedule gives an agent or a team a task at set times, such as every weekday at nine.
            </Empty>
          )
        }
      >
        {(rows) => <ScheduleTable schedules={rows} isStale={pages.isStale} />}
      </PagedList>
      {search.edit !== undefined && blockedBy === undefined && (
        <ScheduleForm
          onClose={close}
          onSaved={(id) => void navigate({ to: "/w/$workspace/schedules/$id", params: { workspace: slug, id } })}
        />
      )}
    </Page>
  );
}
