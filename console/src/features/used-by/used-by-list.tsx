import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../api/use-session.ts";
import { capitalized } from "../../lib/format.ts";
import { Section, SectionRow } from "../../ui/section.tsx";
import { eventLabel } from "../destinations/records.ts";
import { RouteTypeName } from "../destinations/route-type-name.tsx";
import { cronLabel } from "../schedules/recurrence.ts";
import { roleLabel } from "./member-roles.ts";
import { KINDS, linkTo } from "./kinds.ts";
import type { UsagePlace, UsedBy } from "./queries.ts";

const PERIODS: Readonly<Record<string, string>> = {
  run: "Each run",
  day: "Each day",
  month: "Each month",
  total: "In total",
};

/** What names an agent or a team, a section for each kind; each row leads to its record. */
export function UsedByList({ usedBy: { items, counts } }: { readonly usedBy: UsedBy }) {
  const kinds = KINDS.filter(({ kind }) => counts[kind] !== undefined);
  if (kinds.length === 0) {
    return (
      <p className="py-3 text-ink-2">Not used by any team, schedule, trigger, webhook, budget, alert or destination.</p>
    );
  }
  return (
    <div className="flex flex-col gap-6">
      {kinds.map(({ kind, many }) => (
        <Section key={kind} title={capitalized(many)} aside={counts[kind]}>
          <ul>
            {items
              .filter((place) => place.kind === kind)
              .map((place) => (
                <Place key={place.id} place={place} />
              ))}
          </ul>
        </Section>
      ))}
    </div>
  );
}

function Place({ place }: { readonly place: UsagePlace }) {
  const { slug } = useWorkspace();
  const { kind, name, is_active: isActive } = place;
  return (
    <SectionRow end={<span className="text-small">{isActive === false ? "Paused" : <Detail place={place} />}</span>}>
      <Link {...linkTo(place, slug)} dir="auto" className="truncate font-medium text-accent hover:underline">
        {kind === "budget" ? (PERIODS[name] ?? name) : name}
      </Link>
    </SectionRow>
  );
}

/** What counts of a record beside its name, in the words of its own screen. */
function Detail({ place: { kind, detail, team_mode: mode } }: { readonly place: UsagePlace }) {
  if (detail === null) return null;
  switch (kind) {
    case "team":
      return mode === null ? detail : roleLabel(mode, detail);
    case "schedule":
      return cronLabel(detail);
    case "webhook":
      return eventLabel(detail);
    case "route":
      return <RouteTypeName type={detail} />;
    default:
      return <span dir="auto">{detail}</span>;
  }
}
