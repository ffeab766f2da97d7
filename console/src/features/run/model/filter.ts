import type { StepRow } from "../../records/run-head.ts";
import type { StepFilter } from "../search.ts";
import { nameOf } from "./names.ts";
import { isCall, isModelCall } from "./tree.ts";

/** What each filter is called. */
export const FILTER_LABELS: Readonly<Record<StepFilter, string>> = {
  failed: "Failed",
  model: "Model calls",
  tool: "Tool calls",
  question: "Questions",
  slowest: "Slowest 10",
  costliest: "Most expensive 10",
  last: "Last 3 calls",
};

const MOST = 10;
const LAST = 3;

/** The keys of the steps that match; undefined when nothing is asked for. */
export function matchingKeys(
  rows: readonly StepRow[],
  { text, filter }: { readonly text: string; readonly filter: StepFilter | undefined },
): ReadonlySet<string> | undefined {
  const words = text.trim().toLowerCase();
  if (words === "" && filter === undefined) return undefined;
  const named = words === "" ? rows : rows.filter((row) => textOf(row).includes(words));
  return new Set((filter === undefined ? named : byFilter(named, filter)).map(({ key }) => key));
}

function byFilter(rows: readonly StepRow[], filter: StepFilter): readonly StepRow[] {
  switch (filter) {
    case "failed":
      return rows.filter(({ status }) => status === "failed");
    case "slowest":
      return largest(rows, ({ started_at: from = 0, ended_at: to = from }) => to - from);
    case "costliest":
      return largest(rows, ({ cost_usd: cost = 0, taken_over: isReused }) => (isReused === true ? 0 : cost));
    case "last":
      return rows
        .filter(isCall)
        .toSorted((a, b) => (b.started_at ?? 0) - (a.started_at ?? 0))
        .slice(0, LAST);
    case "model":
      return rows.filter(isModelCall);
    case "tool":
    case "question":
      return rows.filter(({ kind }) => kind === filter);
  }
}

function largest(rows: readonly StepRow[], valueOf: (row: StepRow) => number): readonly StepRow[] {
  const calls = rows.filter((row) => isCall(row) && valueOf(row) > 0);
  return calls.toSorted((a, b) => valueOf(b) - valueOf(a)).slice(0, MOST);
}

function textOf(row: StepRow): string {
  return [nameOf(row), row.model, row.error_code, row.key].join(" ").toLowerCase();
}
