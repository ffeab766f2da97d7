import { Cron } from "croner";
import { invalid } from "../invalid.ts";

/** The times that a schedule knows ahead. */
export const TIMES_AHEAD = 5;
/** The most times of the past that are told apart one by one. */
const MAX_LOOKBACK = 100;
const SECOND_MS = 1_000;

/** When a schedule's time comes: a cron pattern of five fields, or six with seconds, in an IANA time zone. */
export interface Timing {
  readonly cron: string;
  readonly time_zone: string;
}

/**
 * The next times behind a moment, {@link TIMES_AHEAD} where there are as many.
 * @throws AppError `bad_request` naming cron or time_zone when they are not understood, or the time never comes.
 */
export function timesAfter(timing: Timing, moment: Date): readonly Date[] {
  const times = cronOf(timing).nextRuns(TIMES_AHEAD, moment);
  if (times.length === 0) throw invalid("body", [{ path: "cron", message: "its time never comes" }]);
  return times;
}

/**
 * Rejects times that come more often than every so many seconds, as far as the next ones show.
 * @throws AppError `bad_request` naming cron.
 */
export function assertNotFinerThan(minSeconds: number, times: readonly Date[]): void {
  const isTooFine = times.some((time, at) => {
    const next = times[at + 1];
    return next !== undefined && next.getTime() - time.getTime() < minSeconds * SECOND_MS;
  });
  if (isTooFine) {
    throw invalid("body", [{ path: "cron", message: `must not come more often than every ${minSeconds} seconds` }]);
  }
}

/**
 * The times that have come by a moment, the oldest first; of more than {@link MAX_LOOKBACK} the newest.
 * @param known the next times as they were known, the first of which has come
 */
export function timesCome(timing: Timing, known: readonly Date[], moment: Date): readonly Date[] {
  const come = known.filter((time) => time <= moment);
  const [first] = come;
  if (first === undefined || come.length < known.length) return come;
  // The moment itself counts, and the library looks before the second that it is given.
  const until = new Date(moment.getTime() + SECOND_MS);
  const past = cronOf(timing).previousRuns(MAX_LOOKBACK + 1, until);
  return past
    .filter((time) => time >= first && time <= moment)
    .slice(0, MAX_LOOKBACK)
    .toReversed();
}

/** The next times behind a moment, of which some are known; fewer, or none, at the end of all times. */
export function timesAhead(timing: Timing, known: readonly Date[], moment: Date): readonly Date[] {
  const ahead = known.filter((time) => time > moment);
  const missing = TIMES_AHEAD - ahead.length;
  return missing === 0 ? ahead : [...ahead, ...cronOf(timing).nextRuns(missing, ahead.at(-1) ?? moment)];
}

function cronOf({ cron, time_zone }: Timing): Cron {
  if (!isTimeZone(time_zone)) {
    throw invalid("body", [
      { path: "time_zone", message: "is not a known time zone; use an IANA name such as Europe/Berlin" },
    ]);
  }
  try {
    // The library would take a time for a pattern that comes once.
    if (cron.includes(":")) throw new Error("five or six fields are required");
    return new Cron(cron, { paused: true, timezone: time_zone, mode: "5-or-6-parts" });
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^CronPattern: /, "") : String(error);
    throw invalid("body", [{ path: "cron", message: `is not a valid cron expression: ${reason}` }]);
  }
}

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
