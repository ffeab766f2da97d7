import { useNavigate, useSearch } from "@tanstack/react-router";
import { useBlockedBy, useWorkspace } from "../api/use-session.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import { PlannedFilters } from "../features/schedules/planned-filters.tsx";
import { schedulesPath, useSchedules } from "../features/schedules/queries.ts";
import { ScheduleForm } from "../features/schedules/schedule-form.tsx";
import { SCHEDULE_COLUMNS } from "../features/schedules/schedule-columns.tsx";
import { isNarrowed, readPlannedSearch } from "../features/schedules/search.ts";
import { curlLine } from "../lib/curl-line.ts";
import { Page } from "../ui/page.tsx";
import { OpenLink } from "../ui/open-link.tsx";
import { RecordList } from "../ui/record-list.tsx";
import { Empty } from "../ui/states.tsx";

const FROM = "/w/$workspace/schedules";
const OPEN = { edit: "yes" };
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
  const add = (
    <OpenLink needs="member" search={OPEN}>
      New schedule
    </OpenLink>
  );
  return (
    <Page title="Schedules" actions={add}>
      <PlannedFilters search={search} />
      <RecordList
        label="Schedules"
        pages={pages}
        columns={SCHEDULE_COLUMNS}
        noMatch={isNarrowed(search) && "No schedule matches these filters"}
        empty={
          <Empty title="No schedules yet" action={add} command={curlLine("/console/api/schedules", EXAMPLE)}>
            A schedule gives an agent or a team a task at set times, such as every weekday at nine.
          </Empty>
        }
      />
      {search.edit !== undefined && blockedBy === undefined && (
        <ScheduleForm
          onClose={close}
          onSaved={(id) => void navigate({ to: "/w/$workspace/schedules/$id", params: { workspace: slug, id } })}
        />
      )}
    </Page>
  );
}
