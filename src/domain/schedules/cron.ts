import { Cron } from "croner";
import { invalid } from "../invalid.ts";

/** The number of fires that a schedule plans ahead. */
export const MAX_NEXT_TIMES = 5;
/** The maximum number of past fires that are handled individually. */
const MAX_LOOKBACK = 100;
const SECOND_MS = 1_000;

/** When a schedule fires: a cron pattern of five fields, or six with seconds, in an IANA time zone. */
export interface Timing {
  readonly cron: string;
  readonly time_zone: string;
}

/**
 * Returns the next fires after a moment, up to {@link MAX_NEXT_TIMES}.
 * @throws AppError `bad_request` for an invalid cron or time_zone, or a pattern that never fires.
 */
export function timesAfter(timing: Timing, moment: Date): readonly Date[] {
  const times = cronOf(timing).nextRuns(MAX_NEXT_TIMES, moment);
  if (times.length === 0) throw invalid("body", [{ path: "cron", message: "never fires" }]);
  return times;
}

/**
 * Rejects fires that are closer together than `minSeconds`, as far as the next ones show.
 * @throws AppError `bad_request` naming cron.
 */
export function assertNotFinerThan(minSeconds: number, times: readonly Date[]): void {
  const isTooFine = times.some((time, at) => {
    const next = times[at + 1];
    return next !== undefined && next.getTime() - time.getTime() < minSeconds * SECOND_MS;
  });
  if (isTooFine) {
    throw invalid("body", [{ path: "cron", message: `must not fire more often than every ${minSeconds} seconds` }]);
  }
}

/**
 * Returns the fires that are due at a moment, oldest first; above {@link MAX_LOOKBACK}, the newest.
 * @param known the planned fires, the first of which is due
 */
export function dueTimes(timing: Timing, known: readonly Date[], moment: Date): readonly Date[] {
  const come = known.filter((time) => time <= moment);
  const [first] = come;
  if (first === undefined || come.length < known.length) return come;
  // The moment itself counts, but the library searches before the given second.
  const until = new Date(moment.getTime() + SECOND_MS);
  const past = cronOf(timing).previousRuns(MAX_LOOKBACK + 1, until);
  return past
    .filter((time) => time >= first && time <= moment)
    .slice(0, MAX_LOOKBACK)
    .toReversed();
}

/** Returns the next fires after a moment, some of which are known; fewer, or none, when the pattern ends. */
export function nextTimes(timing: Timing, known: readonly Date[], moment: Date): readonly Date[] {
  const ahead = known.filter((time) => time > moment);
  const missing = MAX_NEXT_TIMES - ahead.length;
  return missing === 0 ? ahead : [...ahead, ...cronOf(timing).nextRuns(missing, ahead.at(-1) ?? moment)];
}

function cronOf({ cron, time_zone }: Timing): Cron {
  if (!isTimeZone(time_zone)) {
    throw invalid("body", [
      { path: "time_zone", message: "is not a known time zone; use an IANA name such as Europe/Berlin" },
    ]);
  }
  try {
    // The library would accept a time as a pattern that fires once.
    if (cron.includes(":")) throw new Error("not a pattern");
    return new Cron(cron, { paused: true, timezone: time_zone, mode: "5-or-6-parts" });
  } catch {
    throw invalid("body", [{ path: "cron", message: `is not a valid cron expression; ${explainCron(cron)}` }]);
  }
}

/** What a pattern must be, in our words: those of the library name its internals. */
function explainCron(cron: string): string {
  const fields = cron.trim().split(/\s+/).length;
  return fields === 5 || fields === 6
    ? "one of its fields is out of range or malformed: minute 0-59, hour 0-23, day 1-31, month 1-12, weekday 0-7"
    : `use five fields (minute hour day month weekday), such as "0 9 * * 1-5", or six with seconds first`;
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
