import { useEffect, useState } from "react";
import { countdown, duration, exactTime, relativeTime } from "../lib/format.ts";

const SECOND = 1_000;

/** The present, renewed every `everyMs`; still while `isOn` is false. */
export function useNow(everyMs: number, isOn = true): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => setNow(new Date()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs, isOn]);
  return now;
}

/** A relative time, with the exact time in the tooltip. */
export function Time({ at }: { readonly at: string }) {
  const now = useNow(30 * SECOND);
  const time = new Date(at);
  return (
    <time dateTime={at} title={exactTime(time)} className="whitespace-nowrap">
      {relativeTime(time, now)}
    </time>
  );
}

/** How long something took; counts while it has no end. */
export function Duration({ from, to }: { readonly from: string; readonly to: string | null }) {
  const now = useNow(SECOND, to === null);
  const end = to === null ? Math.max(now.getTime(), Date.parse(from)) : Date.parse(to);
  return <span className="whitespace-nowrap">{duration(end - Date.parse(from))}</span>;
}

/** What is left until the server's deadline. */
export function Countdown({ until }: { readonly until: string }) {
  const now = useNow(SECOND);
  const time = new Date(until);
  const isSoon = time.getTime() - now.getTime() < 60 * SECOND;
  return (
    <time dateTime={until} title={exactTime(time)} className={`whitespace-nowrap ${isSoon ? "text-failed" : ""}`}>
      {countdown(time, now)}
    </time>
  );
}
