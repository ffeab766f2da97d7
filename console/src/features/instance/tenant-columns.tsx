import type { ReactNode } from "react";
import { bytes, capitalized, cost, count } from "../../lib/format.ts";
import { Bdi } from "../../ui/bdi.tsx";
import { StateChip } from "../../ui/state.tsx";
import type { Column } from "../../ui/table.tsx";
import type { Tenant } from "./queries.ts";
import { TenantMenu } from "./tenant-menu.tsx";

/** The workspaces of the instance: their figures, and nothing of their contents. */
export const TENANT_COLUMNS: readonly Column<Tenant>[] = [
  { head: "Workspace", cell: (tenant) => <Name tenant={tenant} /> },
  {
    head: "Load",
    cell: ({ running, waiting }) => (
      <TwoLines first={`${count(running)} running`} second={`${count(waiting)} waiting`} />
    ),
    from: "sm",
    width: "w-32",
  },
  { head: "Failed today", cell: (tenant) => <Failed tenant={tenant} />, from: "md", width: "w-44" },
  {
    head: "Cost today",
    cell: ({ cost_today_usd: today, cost_this_month_usd: month }) => (
      <TwoLines first={cost(today)} second={`${cost(month)} this month`} />
    ),
    from: "sm",
    width: "w-40",
  },
  { head: "Stored", cell: ({ stored_bytes: size }) => bytes(size), from: "lg", width: "w-28" },
  {
    head: "Actions",
    cell: (tenant) => (
      <span className="relative z-1">
        <TenantMenu tenant={tenant} />
      </span>
    ),
    align: "end",
    width: "w-20 max-sm:w-15",
  },
];

/** On a phone with the two figures that matter most, whose columns are not there. */
function Name({ tenant }: { readonly tenant: Tenant }) {
  const { name, slug, plan, held_at: heldAt, running, cost_today_usd: today } = tenant;
  return (
    <TwoLines
      first={
        <>
          <Bdi className="font-medium">{name}</Bdi> {heldAt !== null && <StateChip state="waiting">Held</StateChip>}
        </>
      }
      second={
        <>
          {capitalized(plan)}
          <span className="sm:hidden">
            {" "}
            · {count(running)} running · {cost(today)} today
          </span>
          <span className="max-sm:hidden"> · {slug}</span>
        </>
      }
    />
  );
}

/** The failed runs among those that ended, and the most frequent error. */
function Failed({ tenant }: { readonly tenant: Tenant }) {
  const { failed_today: failed, runs_today: runs, errors_today: errors } = tenant;
  const [most] = Object.entries(errors).toSorted(([, a], [, b]) => b - a);
  return <TwoLines first={`${count(failed)} of ${count(runs)}`} second={most?.[0] ?? ""} />;
}

function TwoLines({ first, second }: { readonly first: ReactNode; readonly second: ReactNode }) {
  return (
    <>
      <span className="block truncate">{first}</span>
      <span className="block truncate text-small text-ink-3">{second}</span>
    </>
  );
}
