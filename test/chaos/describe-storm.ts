import type { StormReport } from "./storm.ts";

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

/** Says when what went wrong, a line each. */
export function timelineOf({ mishaps }: StormReport): readonly string[] {
  return mishaps.map(({ name, at }) => `${new Date(at).toISOString().slice(11, 23)} ${name}`);
}
