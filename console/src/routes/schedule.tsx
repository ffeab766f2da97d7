import { useParams, useSearch } from "@tanstack/react-router";
import { useBlockedBy } from "../api/use-session.ts";
import { useApiCalls } from "../lib/api-calls.ts";
import { FactList, FactRow } from "../ui/fact-list.tsx";
import { fireColumns } from "../features/schedules/fire-columns.tsx";
import { NextTimes } from "../features/schedules/next-times.tsx";
import { PlannedPage } from "../features/schedules/planned-page.tsx";
import { useFires, useSchedule } from "../features/schedules/queries.ts";
import type { Schedule } from "../features/schedules/records.ts";
import { cronLabel } from "../features/schedules/recurrence.ts";
import { ScheduleActions } from "../features/schedules/schedule-actions.tsx";
import { ScheduleForm } from "../features/schedules/schedule-form.tsx";
import { readPlannedSearch } from "../features/schedules/search.ts";
import { TaskFacts } from "../features/schedules/task-facts.tsx";
import { BackLink } from "../ui/back-link.tsx";
import { RecordList } from "../ui/record-list.tsx";
import { PendingPage } from "../ui/pending-page.tsx";
import { Empty } from "../ui/states.tsx";
import { usePageNavigate } from "../lib/use-page-navigate.ts";

const LIST = { to: "/w/$workspace/schedules", label: "Schedules" } as const;
const FROM = "/w/$workspace/schedules/$id";
const MISSED = { once: "Run once afterwards", skip: "Skipped", all: "Each runs afterwards, up to 100" } as const;
const OVERLAP = { allow: "Start another one", skip: "Skip this time" } as const;

/** One schedule: when its time comes next, what it does then, and what became of its times. */
export function SchedulePage() {
  const { id } = useParams({ from: FROM });
  const { data: schedule, error, refetch } = useSchedule(id);
  if (schedule === undefined) {
    return <PendingPage noun="Schedule" list={LIST} error={error} onRetry={() => void refetch()} />;
  }
  return <Shown schedule={schedule} />;
}

function Shown({ schedule }: { readonly schedule: Schedule }) {
  const { id, time_zone: zone, is_active: isActive, next_times: times } = schedule;
  const search = readPlannedSearch(useSearch({ from: FROM }));
  const navigate = usePageNavigate({ from: FROM });
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
    <PlannedPage
      of={schedule}
      above={<BackLink {...LIST} />}
      actions={<ScheduleActions schedule={schedule} />}
      facts={<Facts schedule={schedule} />}
      aside={{
        title: "Next times",
        content:
          times.length === 0 ? (
            <p className="text-ink-2">{isActive ? "It will not run again." : "None while it is paused."}</p>
          ) : (
            <NextTimes times={times} zone={zone} />
          ),
      }}
      log={{
        title: "Log",
        list: (
          <RecordList
            label="Log"
            pages={fires}
            columns={fireColumns(zone)}
            empty={<Empty title="Nothing yet">Each scheduled time is listed here with its result.</Empty>}
          />
        ),
      }}
      form={
        search.edit !== undefined &&
        blockedBy === undefined && <ScheduleForm schedule={schedule} onSaved={close} onClose={close} />
      }
    />
  );
}

function Facts({ schedule }: { readonly schedule: Schedule }) {
  const { cron, time_zone: zone, missed, overlap } = schedule;
  const words = cronLabel(cron);
  return (
    <FactList>
      <FactRow name="When">
        {words !== cron && <span className="me-3">{words}</span>}
        <span className="font-mono text-mono whitespace-nowrap text-ink-3">{cron}</span>
      </FactRow>
      <FactRow name="Time zone">{zone}</FactRow>
      <TaskFacts of={schedule} />
      <FactRow name="Missed times">{MISSED[missed]}</FactRow>
      <FactRow name="Still running">{OVERLAP[overlap]}</FactRow>
    </FactList>
  );
}
