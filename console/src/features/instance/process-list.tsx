import type { components } from "#client/gen/schema.ts";
import { count } from "../../lib/format.ts";
import { QueryPart } from "../../ui/query-part.tsx";
import { Section, SectionEmpty } from "../../ui/section.tsx";
import { Table } from "../../ui/table.tsx";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { LogLevelButton, SetLevel } from "./log-level.tsx";
import { useProcesses } from "./queries.ts";

type ServiceProcess = components["schemas"]["ServiceProcess"];

const COLUMNS: readonly Column<ServiceProcess>[] = [
  { head: "Process", cell: ({ name }) => <span className="block truncate">{name}</span> },
  { head: "Version", cell: ({ version }) => version ?? "Unknown", from: "sm", width: "w-44" },
  { head: "Role", cell: (process) => roleOf(process), from: "md", width: "w-28" },
  { head: "Jobs", cell: ({ jobs }) => count(jobs), align: "end", from: "sm", width: "w-20" },
  { head: "Since", cell: ({ started_at: at }) => <Time at={at} />, from: "lg", width: "w-32" },
  { head: "Last beat", cell: ({ last_beat_at: at }) => <Time at={at} />, width: "w-32" },
];

/** The processes of the service, and how loud their logs are. */
export function ProcessList() {
  const processes = useProcesses();
  return (
    <Section
      title="Processes"
      aside={
        <>
          <SetLevel />
          <LogLevelButton names={processes.data?.map(({ name }) => name) ?? []} />
        </>
      }
    >
      <QueryPart query={processes}>
        {(rows) =>
          rows.length === 0 ? (
            <SectionEmpty>No process runs jobs.</SectionEmpty>
          ) : (
            <div className="-mx-page">
              <Table label="Processes" columns={COLUMNS} rows={rows} keyOf={({ name }) => name} />
            </div>
          )
        }
      </QueryPart>
    </Section>
  );
}

function roleOf({ is_keeper: isKeeper, is_quarantine: isQuarantine }: ServiceProcess): string {
  return isQuarantine ? "Quarantine" : isKeeper ? "Keeper" : "–";
}
