import type { components } from "#client/gen/schema.ts";
import { count } from "../../lib/format.ts";
import { QueryPart } from "../../ui/query-part.tsx";
import { Section } from "../../ui/section.tsx";
import { Table } from "../../ui/table.tsx";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/time.tsx";
import { useQueues } from "./queries.ts";

type Queue = components["schemas"]["JobQueue"];

const KINDS: Readonly<Record<Queue["kind"], string>> = {
  task: "Tasks",
  team_run: "Team runs",
  ingest: "Documents",
  delivery: "Deliveries",
};
const COLUMNS: readonly Column<Queue>[] = [
  { head: "Jobs", cell: ({ kind }) => KINDS[kind] },
  { head: "Waiting", cell: ({ waiting }) => count(waiting), align: "end", width: "w-24" },
  { head: "Running", cell: ({ running }) => count(running), align: "end", from: "sm", width: "w-24" },
  { head: "Suspended", cell: ({ suspended }) => count(suspended), align: "end", from: "md", width: "w-28" },
  { head: "Failed", cell: ({ failed }) => count(failed), align: "end", from: "md", width: "w-24" },
  {
    head: "Oldest waits since",
    cell: ({ oldest_waiting_since: at }) => (at === null ? "–" : <Time at={at} />),
    from: "sm",
    width: "w-40",
  },
];

/** What waits and runs, by the kind of job. */
export function QueueList() {
  return (
    <Section title="Queues">
      <QueryPart query={useQueues()}>
        {(rows) => (
          <div className="-mx-page">
            <Table label="Queues" columns={COLUMNS} rows={rows} keyOf={({ kind }) => kind} />
          </div>
        )}
      </QueryPart>
    </Section>
  );
}
