import { readServerFacts } from "#db/queries/doctor/server-facts.ts";
import { ok, warning } from "../define-check.ts";
import type { Check } from "../define-check.ts";

const MAX_DIFFERENCE_MS = 2_000;
const MS_PER_SECOND = 1_000;

/** Whether this machine's clock agrees with that of the database, by which schedules and deadlines go. */
export const clock: Check = {
  name: "clock",
  of: "database",
  async run({ db }) {
    const before = Date.now();
    const { now } = await readServerFacts(db);
    const difference = differenceOf({ before, after: Date.now(), database: now });
    if (difference <= MAX_DIFFERENCE_MS) return ok("The clocks of this machine and of the database agree.");
    return warning(
      `The clocks of this machine and of the database differ by ${Math.round(difference / MS_PER_SECOND)} s.`,
      "Let NTP set both.",
    );
  },
};

interface Times {
  readonly before: number;
  readonly after: number;
  readonly database: number;
}

/** How far the database's clock is from this machine's, which showed `before` and `after` around its answer. */
export function differenceOf({ before, after, database }: Times): number {
  return Math.max(before - database, database - after, 0);
}
