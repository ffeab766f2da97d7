import type { Database } from "../../database.ts";
import { statement } from "../../statement.ts";

// The rows are locked in the order of the limits, the one that all visitors share last. A limit that is known to be
// reached locks none: whoever floods a page makes nobody else wait.
const COUNT = statement({
  name: "count-page-message",
  text: `
    with wanted as (
      select w.subject, w.most, w.seconds, w.place
      from unnest($1::text[], $2::integer[], $3::integer[]) with ordinality w (subject, most, seconds, place)
    ),
    reached as (
      select w.place, w.subject, ceil(extract(epoch from a.resets_at - now()))::integer as "secondsLeft"
      from wanted w join sign_in_attempts a on a.subject = w.subject
      where a.count >= w.most and a.resets_at > now()
    ),
    counted as (
      insert into sign_in_attempts as a (subject, count, resets_at)
      select subject, 1, now() + make_interval(secs => seconds) from wanted
      where not exists (select from reached) order by place
      on conflict (subject) do update set
        count = case when a.resets_at <= now() then 1 else a.count + 1 end,
        resets_at = case when a.resets_at <= now() then excluded.resets_at else a.resets_at end
      where a.resets_at <= now() or a.count < (select w.most from wanted w where w.subject = a.subject)
      returning subject
    )
    select (select count(*)::integer from counted) as counted, r.subject, r."secondsLeft"
    from (select 1) one left join (select * from reached order by place limit 1) r on true`,
});

/** A limit of messages in a window. */
export interface MessageLimit {
  /** What is counted. */
  readonly subject: string;
  readonly most: number;
  /** The length of the window. */
  readonly seconds: number;
}

/** A limit that rejects a message. */
export interface ReachedLimit {
  readonly subject: string;
  /** The time until its window ends. */
  readonly secondsLeft: number;
}

/** Another message took the last place meanwhile. */
class Overtaken extends Error {}

/** Counts a message for all limits, over all processes; or for none, and returns the first limit that is reached. */
export async function countPageMessage(
  db: Database,
  limits: readonly MessageLimit[],
): Promise<ReachedLimit | undefined> {
  const columns = [limits.map(({ subject }) => subject), limits.map(({ most }) => most)];
  const values = [...columns, limits.map(({ seconds }) => seconds)];
  for (;;) {
    try {
      return await db.transaction(async (tx) => {
        const [row] = await tx.query<{ counted: number; subject: string | null; secondsLeft: number | null }>(
          COUNT,
          values,
        );
        const { counted = 0, subject = null, secondsLeft = null } = row ?? {};
        if (subject !== null && secondsLeft !== null) return { subject, secondsLeft };
        if (counted < limits.length) throw new Overtaken();
        return undefined;
      });
    } catch (error) {
      if (!(error instanceof Overtaken)) throw error;
    }
  }
}
