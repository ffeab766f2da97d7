import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../api/use-session.ts";
import { cost, count, exactCost, plural } from "../../lib/format.ts";
import { StateIcon } from "../../ui/state.tsx";
import { QueryPart } from "../../ui/query-part.tsx";
import { Section, SectionEmpty, SectionRow } from "../../ui/section.tsx";
import { ROW_LINK } from "../../ui/row-link.ts";
import { Countdown, Duration, Time } from "../../ui/time.tsx";
import { subjectLink, valueLabel } from "../alerts/kinds.ts";
import { RouteTypeName } from "../destinations/route-type-name.tsx";
import type { RunRow } from "../records/run-row.ts";
import { ERROR_CODES } from "../runs/search.ts";
import type { Overview, useRunningNow } from "./queries.ts";
import { visibleText } from "../../lib/visible-text.ts";

const SHOWN = 5;

/** The alerts that fire, each with a link to its subject; nothing while none does. */
export function FiringAlerts({ alerts }: { readonly alerts: Overview["now"]["alerts"] }) {
  const { slug } = useWorkspace();
  if (alerts.length === 0) return null;
  return (
    <Section
      title="Alerts"
      aside={
        <Link to="/w/$workspace/alerts" params={{ workspace: slug }} className="text-accent hover:underline">
          All alerts
        </Link>
      }
    >
      <ul>
        {alerts.map((alert) => (
          <SectionRow key={alert.id} end={<Time at={alert.since} />}>
            <StateIcon state="failed" decorative />
            <Link {...subjectLink(alert, slug)} dir="auto" className={ROW_LINK}>
              {visibleText(alert.name)}
            </Link>
            <span className="max-w-2/5 shrink-0 truncate text-failed">{valueLabel(alert.kind, alert.last_value)}</span>
          </SectionRow>
        ))}
      </ul>
    </Section>
  );
}

/** The questions whose deadline is next. */
export function QuestionsDue({ questions }: { readonly questions: Overview["now"]["questions"] }) {
  const { slug } = useWorkspace();
  return (
    <Section title="Questions due next">
      {questions.length === 0 && <SectionEmpty>No open questions.</SectionEmpty>}
      <ul>
        {questions.slice(0, SHOWN).map(({ interaction_id: key, run_id: id, title, due }) => (
          <SectionRow key={key} end={due !== null && <Countdown until={due} />}>
            <StateIcon state="waiting" />
            <Link to="/w/$workspace/runs/$id" params={{ workspace: slug, id }} className={ROW_LINK} dir="auto">
              {visibleText(title)}
            </Link>
          </SectionRow>
        ))}
      </ul>
    </Section>
  );
}

/** The runs that work now, with what they have cost so far. */
export function RunningNow({ query }: { readonly query: ReturnType<typeof useRunningNow> }) {
  return (
    <Section title="Running now">
      <QueryPart query={query}>{({ items }) => <RunningRows rows={items} />}</QueryPart>
    </Section>
  );
}

function RunningRows({ rows }: { readonly rows: readonly RunRow[] }) {
  const { slug } = useWorkspace();
  return (
    <>
      {rows.length === 0 && <SectionEmpty>No runs in progress.</SectionEmpty>}
      <ul>
        {rows.slice(0, SHOWN).map(({ id, title, agent, team, started_at: from, cost_usd: spent }) => (
          <SectionRow
            key={id}
            end={
              <span className="flex gap-3">
                {from !== null && <Duration from={from} to={null} />}
                <span className="min-w-16 whitespace-nowrap text-ink" title={exactCost(spent)}>
                  {cost(spent)}
                </span>
              </span>
            }
          >
            <StateIcon state="running" />
            <Link to="/w/$workspace/runs/$id" params={{ workspace: slug, id }} className={ROW_LINK} dir="auto">
              {visibleText(title)}
            </Link>
            <span dir="auto" className="max-w-2/5 shrink-0 truncate text-ink-3 max-sm:hidden">
              {agent?.name ?? team?.name}
            </span>
          </SectionRow>
        ))}
      </ul>
    </>
  );
}

/** With which codes attempts failed lately. */
export function FailedLately({ codes }: { readonly codes: Overview["error_codes"] }) {
  const { slug } = useWorkspace();
  return (
    <Section title="Failed in the last 24 hours">
      {codes.length === 0 && <SectionEmpty>Nothing failed.</SectionEmpty>}
      <ul>
        {codes.slice(0, SHOWN).map(({ code, runs }) => (
          <SectionRow key={code} end={plural(runs, "attempt")}>
            <StateIcon state="failed" />
            <Link
              to="/w/$workspace/runs"
              params={{ workspace: slug }}
              search={{ status: ["failed"], error: ERROR_CODES.filter((each) => each === code), since: "24h" }}
              className={ROW_LINK}
            >
              {code}
            </Link>
          </SectionRow>
        ))}
      </ul>
    </Section>
  );
}

/** The destinations whose last delivery failed. */
export function FailingDestinations({ routes }: { readonly routes: Overview["now"]["routes"] }) {
  const { slug } = useWorkspace();
  return (
    <Section title="Failing destinations">
      {routes.length === 0 && <SectionEmpty>All deliveries arrive.</SectionEmpty>}
      <ul>
        {routes.slice(0, SHOWN).map(({ id, name, type, failures_in_row: failures }) => (
          <SectionRow key={id} end={<span className="text-failed">{count(failures)} failed in a row</span>}>
            <Link
              to="/w/$workspace/destinations/$id"
              params={{ workspace: slug, id }}
              search={{ status: "failed" }}
              dir="auto"
              className={ROW_LINK}
            >
              {name}
            </Link>
            <span className="max-w-2/5 shrink-0 truncate text-ink-3">
              <RouteTypeName type={type} />
            </span>
          </SectionRow>
        ))}
      </ul>
    </Section>
  );
}

/** The schedules that are due next. */
export function NextSchedules({ fires }: { readonly fires: Overview["now"]["fires"] }) {
  const { slug } = useWorkspace();
  return (
    <Section title="Next schedules">
      {fires.length === 0 && <SectionEmpty>No schedule is due.</SectionEmpty>}
      <ul>
        {fires.slice(0, SHOWN).map(({ schedule_id: id, name, at, time_zone: zone }) => (
          <SectionRow key={id} end={<Time at={at} />}>
            <Link to="/w/$workspace/schedules/$id" params={{ workspace: slug, id }} dir="auto" className={ROW_LINK}>
              {name}
            </Link>
            <span className="max-w-2/5 shrink-0 truncate text-ink-3 max-sm:hidden">{zone}</span>
          </SectionRow>
        ))}
      </ul>
    </Section>
  );
}
