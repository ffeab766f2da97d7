import type { StormReport } from "./storm.ts";

const MOST_LINES = 60;
const LONGEST_LINE = 1_000;

/** Says in one line what a storm was like. */
export function describeStorm({ jobs, calls, mishaps, found }: StormReport): string {
  const ends = Object.entries(Object.groupBy(jobs, ({ end }) => end.status)).map(
    ([status, same]) => `${same?.length} ${status}`,
  );
  const turns = new Set(calls.map(({ turn }) => turn)).size;
  const crashLoops = jobs.filter(({ end }) => end.error?.startsWith("crash_loop")).length;
  const faults = Object.entries(Object.groupBy(mishaps, ({ name }) => name)).map(
    ([name, same]) => `${same?.length} × ${name}`,
  );
  return [
    `${jobs.length} jobs (${ends.join(", ")}; ${crashLoops} crash loops)`,
    `${calls.length} calls of ${turns} turns`,
    faults.join(", "),
    found.length === 0 ? "all well" : `${found.length} FOUND`,
  ].join("; ");
}

/** Describes each fault with its time, one per line. */
export function timelineOf({ mishaps }: StormReport): readonly string[] {
  return mishaps.map(({ name, at }) => `${new Date(at).toISOString().slice(11, 23)} ${name}`);
}

/** What processes have logged last as warnings and errors. */
export function troublesIn({ logs }: StormReport): readonly string[] {
  const lines = [...logs].flatMap(([name, text]) => text.split("\n").map((line) => ({ name, line })));
  const troubles = lines.filter(({ line }) => /"level":"(warn|error|fatal)"/.test(line));
  const inOrder = troubles.toSorted((one, other) => (timeOf(one.line) < timeOf(other.line) ? -1 : 1));
  return inOrder.slice(-MOST_LINES).map(({ name, line }) => `${name}: ${line.slice(0, LONGEST_LINE)}`);
}

function timeOf(line: string): string {
  return /"time":"([^"]+)"/.exec(line)?.[1] ?? "";
}
