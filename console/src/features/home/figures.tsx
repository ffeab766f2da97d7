import { Link } from "@tanstack/react-router";
import type { LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useWorkspace } from "../../api/use-session.ts";
import { cost, count, exactCost } from "../../lib/format.ts";
import { Time } from "../../ui/time.tsx";
import type { Overview } from "./queries.ts";

/** What is going on now, in five figures; each leads to what it counts. */
export function Figures({ hours, days }: { readonly hours: Overview; readonly days: Overview }) {
  const { slug } = useWorkspace();
  const params = { workspace: slug };
  const today = days.buckets.at(-1)?.cost_usd ?? 0;
  const { open, oldest_queued_at: oldest } = days.now;
  return (
    <dl className="figures">
      <Figure
        label="Running"
        link={{ to: "/w/$workspace/runs", params, search: { status: ["running"] } }}
        value={count(open.running)}
      />
      <Figure
        label="Queued"
        link={{ to: "/w/$workspace/runs", params, search: { status: ["dispatched"] } }}
        value={count(open.dispatched)}
        note={
          oldest !== null && (
            <>
              oldest <Time at={oldest} />
            </>
          )
        }
      />
      <Figure
        label="Need an answer"
        link={{ to: "/w/$workspace/questions", params }}
        value={count(open.waiting_for_input)}
        ink={open.waiting_for_input > 0 ? "text-waiting" : ""}
      />
      <Figure
        label="Failed in 24 h"
        link={{ to: "/w/$workspace/runs", params, search: { status: ["failed"], since: "24h" } }}
        value={count(hours.total.failed)}
        ink={hours.total.failed > 0 ? "text-failed" : ""}
        note={`${count(hours.total.completed)} completed`}
      />
      <Figure
        label="Spent today"
        link={{ to: "/w/$workspace/usage", params }}
        value={<span title={exactCost(today)}>{cost(today)}</span>}
        note="since 00:00 UTC"
      />
    </dl>
  );
}

function Figure({
  label,
  link,
  value,
  note,
  ink = "",
}: {
  readonly label: string;
  readonly link: LinkProps;
  readonly value: ReactNode;
  readonly note?: ReactNode;
  readonly ink?: string;
}) {
  return (
    <div className="relative flex flex-col gap-1 py-3 transition-colors has-[a:hover]:bg-surface">
      <dt className="text-small text-ink-2">
        <Link {...link} className="covers">
          {label}
        </Link>
      </dt>
      <dd className={`text-figure font-semibold ${ink}`}>{value}</dd>
      <dd className="min-h-4 text-small text-ink-3">{note}</dd>
    </div>
  );
}
