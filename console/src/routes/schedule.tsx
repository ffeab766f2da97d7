import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useBlockedBy, useWorkspace } from "../api/use-session.ts";
import { useApiCalls } from "../features/api-drawer/calls.ts";
import { FactList, FactRow } from "../features/run/inspector/fact-list.tsx";
import { AssigneeName } from "../features/schedules/assignee-name.tsx";
import { FireTable } from "../features/schedules/fire-table.tsx";
import { NextTimes } from "../features/schedules/next-times.tsx";
import { PlannedState } from "../features/schedules/planned-state.tsx";
import { useFires, useSchedule } from "../features/schedules/queries.ts";
import type { Schedule } from "../features/schedules/records.ts";
import { cronLabel } from "../features/schedules/recurrence.ts";
import { ScheduleActions } from "../features/schedules/schedule-actions.tsx";
import { ScheduleForm } from "../features/schedules/schedule-form.tsx";
import { readPlannedSearch } from "../features/schedules/search.ts";
import { Page } from "../ui/page.tsx";
import { PagedList } from "../ui/paged-list.tsx";
import { PendingPage } from "../ui/pending-page.tsx";
import { Empty } from "../ui/states.tsx";

const FROM = "/w/$workspace/schedules/$id";
const MISSED = { once: "Run once afterwards", skip: "Skipped", all: "Each runs afterwards" } as const;
const OVERLAP = { allow: "Start another one", skip: "Skip this time" } as const;

/** One schedule: when its time comes next, what it does then, and what became of its times. */
export function SchedulePage() {
  const { id } = useParams({ from: FROM });
  const { data: schedule, error, refetch } = useSchedule(id);
  if (schedule === undefined) {
    return <PendingPage noun="Schedule" above={<Back />} error={error} onRetry={() => void refetch()} />;
  }
  return <Shown schedule={schedule} />;
}

function Back() {
  const { slug } = useWorkspace();
  return (
    <Link to="/w/$workspace/schedules" params={{ workspace: slug }} className="hover:text-ink">
      Schedules
    </Link>
  );
}

function Shown({ schedule }: { readonly schedule: Schedule }) {
  const { id, name, time_zone: zone, is_active: isActive, next_times: times } = schedule;
  const search = readPlannedSearch(useSearch({ from: FROM }));
  const navigate = useNavigate({ from: FROM });
  const blockedBy = useBlockedBy("member");
  const fires = useFires(id);
  const close = () => void navigate({ search: (before) => ({ ...before, edit: undefined }) });
  const path = `/console/api/schedules/${id}`;
  useApiCalls([
    { title: "Read this schedule", method: "GET", path },
    { title: "Run it now", method: "POST", path: `${path}/run` },
    { title: "Pause it", method: "PATCH", path, body: { is_active: false } },
    { title: "Read its log", method: "GET", path: `${path}/fires` },
  ]);
  return (
    <Page
      title={name}
      above={<Back />}
      beside={<PlannedState isActive={isActive} />}
      actions={<ScheduleActions schedule={schedule} />}
    >
      <div className="grid grid-cols-2 gap-8 px-6 py-4 max-lg:grid-cols-1 max-sm:px-4">
        <Facts schedule={schedule} />
        <section aria-labelledby="next">
          <h2 id="next" className="pb-1 text-h3 font-semibold">
            Next times
          </h2>
          {times.length === 0 ? (
            <p className="text-ink-2">{isActive ? "Its time does not come again." : "None while it is paused."}</p>
          ) : (
            <NextTimes times={times} zone={zone} />
          )}
        </section>
      </div>
      <h2 className="px-6 pt-2 pb-3 text-h2 font-semibold max-sm:px-4">Log</h2>
      <div className="border-t border-line">
        <PagedList
          pages={fires}
          empty={<Empty title="Nothing yet">Each scheduled time is listed here with its result.</Empty>}
        >
          {(rows) => <FireTable fires={rows} zone={zone} />}
        </PagedList>
      </div>
      {search.edit !== undefined && blockedBy === undefined && (
        <ScheduleForm schedule={schedule} onSaved={close} onClose={close} />
      )}
    </Page>
  );
}

function Facts({ schedule }: { readonly schedule: Schedule }) {
  const { cron, time_zone: zone, title, description, missed, overlap, priority } = schedule;
  const words = cronLabel(cron);
  return (
    <FactList>
      <FactRow name="When">
        {words !== cron && <span className="me-3">{words}</span>}
        <span className="font-mono text-mono whitespace-nowrap text-ink-3">{cron}</span>
      </FactRow>
      <FactRow name="Time zone">{zone}</FactRow>
      <FactRow name="For">
        <AssigneeName of={schedule} />
      </FactRow>
      <FactRow name="Task">
        <bdi>{title}</bdi>
        {description !== "" && <bdi className="line-clamp-3 block max-w-[72ch] text-ink-2">{description}</bdi>}
      </FactRow>
      <FactRow name="Priority">
        <span className="inline-block first-letter:uppercase">{priority}</span>
      </FactRow>
      <FactRow name="Missed times">{MISSED[missed]}</FactRow>
      <FactRow name="Last task runs">{OVERLAP[overlap]}</FactRow>
    </FactList>
  );
}
