import { useEffect, useState, useSyncExternalStore } from "react";
import { now as presentMs } from "../lib/clock.ts";
import { clockOrDate, countdown, duration, exactTime, relativeTime } from "../lib/format.ts";

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** The second that all of the page shows, while something shows it. */
let present = presentMs();
let timer: ReturnType<typeof setInterval> | undefined;
const watchers = new Set<() => void>();

function watchSeconds(onChange: () => void): () => void {
  watchers.add(onChange);
  timer ??= setInterval(() => {
    present = presentMs();
    for (const watcher of watchers) watcher();
  }, SECOND);
  return () => {
    watchers.delete(onChange);
    if (watchers.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/**
 * What is read from the present, every second. What it belongs to is drawn again only when the result differs.
 * @param read must return the same for the same time
 */
export function useClock<Result extends string | number | boolean>(read: (now: Date) => Result): Result {
  return useSyncExternalStore(watchSeconds, () => {
    // Nothing has renewed it while nothing showed it.
    if (timer === undefined) present = presentMs();
    return read(new Date(present));
  });
}

/** The present, renewed every `everyMs`; still while `isOn` is false. */
export function useNow(everyMs: number, isOn = true): Date {
  const [now, setNow] = useState(() => new Date(presentMs()));
  useEffect(() => {
    if (!isOn) return;
    const renewal = setInterval(() => setNow(new Date(presentMs())), everyMs);
    return () => clearInterval(renewal);
  }, [everyMs, isOn]);
  return now;
}

/** A relative time, with the exact time in the tooltip. */
export function Time({ at }: { readonly at: string }) {
  const time = new Date(at);
  const words = useClock((now) => relativeTime(time, now));
  return (
    <time dateTime={at} title={exactTime(time)} className="whitespace-nowrap">
      {words}
    </time>
  );
}

/** The time of the day, before today with the date, for what reads as a sentence: `14:03`. */
export function ClockTime({ at }: { readonly at: string }) {
  const time = new Date(at);
  const words = useClock((now) => clockOrDate(time, now));
  return (
    <time dateTime={at} title={exactTime(time)} className="whitespace-nowrap">
      {words}
    </time>
  );
}

/**
 * How long something took; counts while it has no end.
 * @param plusMs how long it had taken before `from`
 */
export function Duration({
  from,
  to,
  plusMs = 0,
}: {
  readonly from: string;
  readonly to: string | null;
  readonly plusMs?: number;
}) {
  const start = Date.parse(from);
  const words = useClock((now) => {
    const end = to === null ? Math.max(now.getTime(), start) : Date.parse(to);
    return duration(end - start + plusMs);
  });
  return <span className="whitespace-nowrap tabular-nums">{words}</span>;
}

/** What is left until the server's deadline. */
export function Countdown({ until }: { readonly until: string }) {
  const time = new Date(until);
  const words = useClock((now) => countdown(time, now));
  const isSoon = useClock((now) => time.getTime() - now.getTime() < MINUTE);
  return (
    <time
      dateTime={until}
      title={exactTime(time)}
      className={`whitespace-nowrap tabular-nums ${isSoon ? "text-failed" : ""}`}
    >
      {words}
    </time>
  );
}
