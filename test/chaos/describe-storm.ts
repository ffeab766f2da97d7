import type { StormReport } from "./storm.ts";

const MOST_ERRORS = 20;
const LONGEST_ERROR = 1_000;

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

/** The first errors that processes have logged. */
export function errorsIn({ logs }: StormReport): readonly string[] {
  const lines = [...logs].flatMap(([name, text]) => text.split("\n").map((line) => `${name}: ${line}`));
  const errors = lines.filter((line) => /"level":"(error|fatal)"/.test(line));
  return errors.slice(0, MOST_ERRORS).map((line) => line.slice(0, LONGEST_ERROR));
}
