import type { Vendor } from "./vendor/vendor.ts";
import { SCHEDULED_TITLE } from "./workspace.ts";

/** How long interrupted work stood still, in seconds. */
export interface ResumeTimes {
  readonly count: number;
  readonly p50: number;
  readonly p90: number;
  readonly max: number;
}

/**
 * Measures from the outside: the time between a call of a model or a tool and the next same call, which is made only
 * because the first one's process died.
 */
export function resumeTimes({ modelCalls, toolCalls }: Vendor): ResumeTimes {
  const calls = [
    ...modelCalls.filter(({ turn }) => turn.title !== SCHEDULED_TITLE).map(({ turn, at }) => ({ key: turn.key, at })),
    ...toolCalls.map(({ key, at }) => ({ key: `tool ${key}`, at })),
  ];
  const gaps = [...Map.groupBy(calls, ({ key }) => key).values()].flatMap((same) =>
    same.slice(1).map(({ at }, index) => (at - (same[index]?.at ?? at)) / 1_000),
  );
  const sorted = gaps.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { count: sorted.length, p50: at(0.5), p90: at(0.9), max: at(1) };
}
