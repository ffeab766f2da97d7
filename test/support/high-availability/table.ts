/** What came of a fault. */
export interface Row {
  readonly fault: string;
  readonly runs: number;
  readonly lost: number;
  /** Steps that were repeated after they were stored. */
  readonly repeatedSteps: number;
  readonly repeatedTools: number;
  readonly resumed: number;
  /** How long the fault lasted, until there was a way to a primary again. */
  readonly faultSeconds: number;
  /** How much later a run that was new then had completed. */
  readonly secondsAfter: number;
  /** What should not have been, as sentences. */
  readonly found: readonly string[];
}

const HEAD = [
  "Fault",
  "Runs",
  "Lost",
  "Stored steps repeated",
  "Tool calls repeated",
  "Streams resumed",
  "The fault lasted",
  "Then a new run took",
];

/** The table of the documentation. */
export function asTable(rows: readonly Row[]): string {
  const lines = rows.map((row) => [
    row.fault,
    row.runs,
    row.lost,
    row.repeatedSteps,
    row.repeatedTools,
    row.resumed,
    `${row.faultSeconds.toFixed(1)} s`,
    `${row.secondsAfter.toFixed(1)} s`,
  ]);
  return [HEAD, HEAD.map(() => "---"), ...lines].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
