import type { Database } from "../../database.ts";
import { statement } from "../../statement.ts";

const COUNT_ATTEMPT = statement({
  name: "count-sign-in-attempt",
  text: `
    insert into sign_in_attempts as a (subject, count, resets_at)
    select subject, 1, now() + make_interval(secs => $2) from unnest($1::text[]) subject order by subject
    on conflict (subject) do update set
      count = case when a.resets_at <= now() then 1 else a.count + 1 end,
      resets_at = case when a.resets_at <= now() then excluded.resets_at else a.resets_at end
    returning subject, count, ceil(extract(epoch from resets_at - now()))::integer as "secondsLeft"`,
});

/** The attempts of a subject in its window, including this one. */
export interface AttemptCount {
  readonly subject: string;
  readonly count: number;
  /** The time until the window ends. */
  readonly secondsLeft: number;
}

/** Counts one attempt of each subject atomically for all processes. `seconds` is the length of a window. */
export async function countAttempt(
  db: Database,
  subjects: readonly string[],
  seconds: number,
): Promise<AttemptCount[]> {
  return db.query<AttemptCount>(COUNT_ATTEMPT, [subjects, seconds]);
}

const SUBTRACT_ATTEMPT = statement({
  name: "subtract-sign-in-attempt",
  text: `update sign_in_attempts set count = count - 1 where subject = any($1::text[]) and count > 0`,
});

/** Subtracts one attempt of each subject after a success. */
export async function subtractAttempt(db: Database, subjects: readonly string[]): Promise<void> {
  await db.query(SUBTRACT_ATTEMPT, [subjects]);
}

const CLEAR_ATTEMPTS = statement({
  name: "clear-sign-in-attempts",
  text: `update sign_in_attempts set count = 0 where subject = any($1::text[])`,
});

/** Clears the attempts of each subject. */
export async function clearAttempts(db: Database, subjects: readonly string[]): Promise<void> {
  await db.query(CLEAR_ATTEMPTS, [subjects]);
}
