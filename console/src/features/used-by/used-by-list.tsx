import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../api/use-session.ts";
import { Section, SectionRow } from "../../ui/section.tsx";
import { KINDS, linkTo } from "./kinds.ts";
import type { UsagePlace, UsedBy } from "./queries.ts";

const PERIODS: Readonly<Record<string, string>> = {
  run: "Each run",
  day: "Each day",
  month: "Each month",
  total: "In all",
};

/** What names an agent or a team, a section for each kind; each row leads to its record. */
export function UsedByList({ usedBy: { items, counts } }: { readonly usedBy: UsedBy }) {
  const kinds = KINDS.filter(({ kind }) => counts[kind] !== undefined);
  if (kinds.length === 0) {
    return <p className="py-3 text-ink-2">No team, schedule, trigger, webhook, budget or destination names it.</p>;
  }
  return (
    <div className="flex flex-col gap-6">
      {kinds.map(({ kind, many }) => (
        <Section key={kind} title={`${many.charAt(0).toUpperCase()}${many.slice(1)}`} aside={counts[kind]}>
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
  const { kind, name, detail, is_active: isActive } = place;
  return (
    <SectionRow
      end={<span className="text-small">{isActive === false ? "Paused" : <span dir="auto">{detail}</span>}</span>}
    >
      <Link {...linkTo(place, slug)} dir="auto" className="truncate font-medium text-accent hover:underline">
        {kind === "budget" ? (PERIODS[name] ?? name) : name}
      </Link>
    </SectionRow>
  );
}
