import { LAST_BACKUP_AT, readSetting } from "#db/queries/access/first-start.ts";
import { ok, warning } from "../define-check.ts";
import type { Check } from "../define-check.ts";

const DAY_MS = 86_400_000;
const OLD_DAYS = 8;

/** How old the last backup is that `muster backup` has made. */
export const backupAge: Check = {
  name: "backup age",
  of: "database",
  async run({ db }) {
    const madeAt = await readSetting(db, LAST_BACKUP_AT);
    // Another program may back up the database.
    if (madeAt === undefined) return ok("No backup has been made by muster backup.");
    const days = (Date.now() - Date.parse(madeAt)) / DAY_MS;
    if (days > OLD_DAYS)
      return warning(`The last backup is ${Math.floor(days)} days old.`, "Run muster backup, best by a timer.");
    return ok(`The last backup was made at ${madeAt}.`);
  },
};
