import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../../api/use-session.ts";
import { capitalized, cost, duration } from "../../../lib/format.ts";
import { Bdi } from "../../../ui/bdi.tsx";
import { ROW_LINK } from "../../../ui/row-link.ts";
import { Table } from "../../../ui/table.tsx";
import type { Column } from "../../../ui/table.tsx";
import type { GoldenResult } from "./queries.ts";

const COLUMNS: readonly Column<GoldenResult>[] = [
  { head: "Case", cell: (result) => <Name result={result} /> },
  { head: "Result", width: "w-28", cell: ({ status }) => <Status status={status} /> },
  {
    head: "Cost",
    width: "w-40",
    align: "end",
    from: "sm",
    cell: ({ before, after }) =>
      changeOf(cost(before.cost_usd), after.cost_usd === null ? undefined : cost(after.cost_usd)),
  },
  {
    head: "Time",
    width: "w-44",
    align: "end",
    from: "md",
    cell: ({ before, after }) =>
      changeOf(duration(before.duration_ms), after.duration_ms === null ? undefined : duration(after.duration_ms)),
  },
];

/** How the cases of a golden run came out, each with its figures before and now. */
export function ResultTable({ results }: { readonly results: readonly GoldenResult[] }) {
  return <Table label="Results" columns={COLUMNS} rows={results} keyOf={({ case_id: id }) => id} />;
}

function Name({ result }: { readonly result: GoldenResult }) {
  const { slug } = useWorkspace();
  const why = whyNot(result);
  return (
    <div className="min-w-0 py-1.5">
      <Link to="/w/$workspace/runs/$id" params={{ workspace: slug, id: result.run_id }} data-row className={ROW_LINK}>
        <Bdi>{result.name}</Bdi>
      </Link>
      {why !== "" && <p className="text-small text-ink-2 break-words whitespace-normal">{why}</p>}
    </div>
  );
}

function whyNot({ checks, reason }: GoldenResult): string {
  const failed = checks.filter(({ passed }) => !passed).map((check) => check.reason);
  return failed.length > 0 ? failed.join(" ") : (reason ?? "");
}

const TONES = {
  running: "text-ink-2",
  passed: "text-completed",
  failed: "text-failed",
  diverged: "text-failed",
  cancelled: "text-ink-2",
} as const satisfies Record<GoldenResult["status"], string>;

function Status({ status }: Pick<GoldenResult, "status">) {
  return <span className={TONES[status]}>{capitalized(status)}</span>;
}

function changeOf(before: string, now: string | undefined): string {
  return now === undefined ? before : `${before} → ${now}`;
}
