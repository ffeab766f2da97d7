import { ENCRYPTION_KEY_FINGERPRINT, readSetting } from "#db/queries/access/first-start.ts";
import { readDataKeys } from "#db/queries/access/data-keys.ts";
import { presentFingerprint } from "../../keys/open-secrets.ts";
import { isUnfinished } from "../../keys/rotation-plan.ts";
import { failed, ok, warning } from "../define-check.ts";
import type { Check } from "../define-check.ts";

/** Whether the encryption key is that of the database. */
export const key: Check = {
  name: "encryption key",
  of: "database",
  async run({ db, config }) {
    const stored = await readSetting(db, ENCRYPTION_KEY_FINGERPRINT);
    if (stored === undefined) return warning("The database has no key yet.", "Start the service once.");
    const present = await presentFingerprint(config);
    const rows = await readDataKeys(db);
    const opens = present !== undefined && rows.some(({ wrapping }) => wrapping === present);
    if ((opens || present === stored) && isUnfinished(rows)) {
      return warning(`The rotation to the encryption key ${stored} is unfinished.`, "Run muster rotate-key again.");
    }
    if (opens || present === stored) {
      const generation = rows[0]?.generation ?? 0;
      return ok(`The key has the fingerprint of the database, ${stored}; data key ${generation} encrypts.`);
    }
    const found = present === undefined ? "there is none" : `the one here has ${present}`;
    return failed(
      `The database needs the key with the fingerprint ${stored}, and ${found}.`,
      "Restore it: ENCRYPTION_KEY, ENCRYPTION_KEY_COMMAND, or the file encryption.key in the data folder.",
    );
  },
};
