import type { ReactNode } from "react";
import { cost, count, duration, exactCost, percent, plural } from "../../lib/format.ts";
import { useAgentPeriod } from "./stats.ts";
import type { AgentPeriod } from "./stats.ts";

/** An agent's last 7 days in five figures; the layout reserves their space while they load. */
export function WeekStats({ agentId }: { readonly agentId: string }) {
  const { data } = useAgentPeriod(agentId);
  return (
    <dl aria-label="Last 7 days" className="figures mx-page my-4">
      <Figure label="Runs in 7 days" value={data && count(runsOf(data))} note={data && failedLabel(data)} />
      <Figure label="Success" value={data && shareOf(data)} />
      <Figure label="Median duration" value={data && timeOf(data.total.p50_ms)} />
      <Figure label="p95 duration" value={data && timeOf(data.total.p95_ms)} />
      <Figure
        label="Cost"
        value={data && <span title={exactCost(data.total.cost_usd)}>{cost(data.total.cost_usd)}</span>}
        note={data && "with teams"}
      />
    </dl>
  );
}

function Figure({
  label,
  value,
  note,
}: {
  readonly label: string;
  readonly value: ReactNode;
  readonly note?: ReactNode;
}) {
  return (
    <div className="flex flex-col gap-0.5 py-2.5">
      <dt className="text-small text-ink-2">{label}</dt>
      <dd className="flex min-h-6 items-baseline gap-2">
        <span className="text-h2 font-semibold">{value}</span>
        <span className="text-small text-ink-3">{note}</span>
      </dd>
    </div>
  );
}

function runsOf({ total: { completed, failed, cancelled } }: AgentPeriod): number {
  return completed + failed + cancelled;
}

function failedLabel({ total: { failed } }: AgentPeriod): string {
  return failed === 0 ? "" : plural(failed, "failed", "failed");
}

function shareOf({ success_share: share }: AgentPeriod): string {
  return share === null ? "–" : percent(share);
}

function timeOf(ms: number | null): string {
  return ms === null ? "–" : duration(ms);
}
