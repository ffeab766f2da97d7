import type { components } from "#client/gen/schema.ts";
import { bytes, count } from "../../lib/format.ts";
import { Section, SectionRow } from "../../ui/section.tsx";

type Details = components["schemas"]["WorkspaceDetails"];

const ROWS = [
  { key: "records", label: "Records", format: count },
  { key: "stored_bytes", label: "Files and documents", format: bytes },
  { key: "schedules", label: "Schedules", format: count },
  { key: "alerts", label: "Alerts", format: count },
] as const;

/** What the workspace keeps, and may keep by its plan. */
export function Quotas({ plan, quotas }: Pick<Details, "plan" | "quotas">) {
  return (
    <Section title="Quotas" aside={`Plan: ${plan}`}>
      <ul>
        {ROWS.map(({ key, label, format }) => {
          const { used, limit } = quotas[key];
          const isFull = limit !== null && used >= limit;
          return (
            <SectionRow key={key} end={limit === null ? format(used) : `${format(used)} of ${format(limit)}`}>
              <span className="min-w-0">
                {label}
                {isFull && (
                  <span className="block text-small text-failed">
                    Full: delete some, or ask the operator for a larger plan.
                  </span>
                )}
              </span>
            </SectionRow>
          );
        })}
      </ul>
    </Section>
  );
}
