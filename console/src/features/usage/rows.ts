import { plural } from "../../lib/format.ts";
import { PLOT_INKS } from "../../ui/plot.tsx";
import type { PlotSeries } from "../../ui/plot.tsx";
import type { Usage } from "./queries.ts";
import type { METRICS } from "./search.ts";

const DAY_MS = 86_400_000;
/** The number of names that a plot shows separately; the others share one row. */
const SHOWN = 4;

type Row = Usage["rows"][number];

/** What is stacked by name. */
export type Stacked = Exclude<(typeof METRICS)[number], "kinds">;

/** What an agent, a model or a team used in all of the days. */
export interface UsageSum {
  readonly key: string;
  readonly name: string;
  readonly calls: number;
  readonly prompt: number;
  /** Of the prompt. */
  readonly cached: number;
  /** Of the prompt. */
  readonly written: number;
  readonly completion: number;
  readonly cost: number;
  /** By day, in the order of {@link daysOf}. */
  readonly byDay: Readonly<Record<Stacked, readonly number[]>>;
}

/** The days of a report, ISO 8601. */
export function daysOf({ from, to }: Pick<Usage, "from" | "to">): readonly string[] {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  return Array.from({ length: Math.round((last - first) / DAY_MS) + 1 }, (_, n) =>
    new Date(first + n * DAY_MS).toISOString(),
  );
}

/** Sums of a report by name, the most expensive first. */
export function sumsOf(usage: Usage): readonly UsageSum[] {
  const days = daysOf(usage);
  const byKey = Map.groupBy(usage.rows, keyOf);
  return [...byKey]
    .map(([key, rows]) => sumOf(key, rows, days))
    .toSorted((a, b) => b.cost - a.cost || total(b) - total(a));
}

/** The rows of a plot: the largest names apart, and the rest as one. */
export function seriesOf(sums: readonly UsageSum[], metric: Stacked): readonly PlotSeries[] {
  const shown = sums.slice(0, SHOWN).map(({ name, byDay }, n) => ({
    label: name,
    values: byDay[metric],
    ink: PLOT_INKS[n] ?? PLOT_INKS[0],
  }));
  const rest = sums.slice(SHOWN);
  if (rest.length === 0) return shown;
  const values = (rest[0]?.byDay[metric] ?? []).map((_, at) =>
    rest.reduce((sum, { byDay }) => sum + (byDay[metric][at] ?? 0), 0),
  );
  return [...shown, { label: plural(rest.length, "other"), values, ink: PLOT_INKS[SHOWN] }];
}

/** The rows of a plot of tokens by kind; kinds without any are omitted. */
export function kindsOf(usage: Usage): readonly PlotSeries[] {
  const days = daysOf(usage);
  const kinds: readonly (readonly [label: string, value: (row: Row) => number])[] = [
    ["From the cache", (row) => row.cached_tokens],
    ["Written to the cache", (row) => row.cache_write_tokens],
    ["Other prompt", (row) => row.prompt_tokens - row.cached_tokens - row.cache_write_tokens],
    ["Reasoning", (row) => row.reasoning_tokens],
    ["Other completion", (row) => row.completion_tokens - row.reasoning_tokens],
  ];
  return kinds
    .map(([label, value], n) => ({ label, values: onDays(usage.rows, days, value), ink: PLOT_INKS[n] ?? PLOT_INKS[0] }))
    .filter(({ values }) => values.some((value) => value > 0));
}

function onDays(rows: readonly Row[], days: readonly string[], value: (row: Row) => number): readonly number[] {
  return days.map((day) => rows.reduce((sum, row) => sum + (day.startsWith(row.day ?? " ") ? value(row) : 0), 0));
}

function total({ prompt, completion }: UsageSum): number {
  return prompt + completion;
}

function sumOf(key: string, rows: readonly Row[], days: readonly string[]): UsageSum {
  const add = (value: (row: Row) => number) => rows.reduce((sum, row) => sum + value(row), 0);
  const onDay = (value: (row: Row) => number) => onDays(rows, days, value);
  return {
    key,
    name: nameOf(rows[0]),
    calls: add((row) => row.calls),
    prompt: add((row) => row.prompt_tokens),
    cached: add((row) => row.cached_tokens),
    written: add((row) => row.cache_write_tokens),
    completion: add((row) => row.completion_tokens),
    cost: add((row) => row.cost_usd),
    byDay: { cost: onDay((row) => row.cost_usd), tokens: onDay((row) => row.total_tokens) },
  };
}

function keyOf(row: Row): string {
  return row.model === undefined ? (row.agent_id ?? row.team_id ?? "none") : `${row.provider}/${row.model}`;
}

function nameOf(row: Row | undefined): string {
  if (row === undefined) return "";
  if (row.model !== undefined) return row.model;
  if (row.agent_id !== undefined) return row.agent_id === null ? "Workspace" : (row.agent_name ?? "Deleted agent");
  return row.team_id === null ? "Without a team" : (row.team_name ?? "Deleted team");
}
