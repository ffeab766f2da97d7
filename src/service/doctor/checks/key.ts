import { ENCRYPTION_KEY_FINGERPRINT, readSetting } from "#db/queries/access/first-start.ts";
import { presentFingerprint } from "../../encryption-key.ts";
import { failed, ok, warning } from "../define-check.ts";
import type { Check } from "../define-check.ts";

/** Whether the encryption key is that of the database. */
export const key: Check = {
  name: "encryption key",
  of: "database",
  async run({ db, config: { ENCRYPTION_KEY: given, MUSTER_DATA: folder } }) {
    const stored = await readSetting(db, ENCRYPTION_KEY_FINGERPRINT);
    if (stored === undefined) return warning("The database has no key yet.", "Start the service once.");
    const present = await presentFingerprint(given, folder);
    if (present === stored) return ok(`The key has the fingerprint of the database, ${stored}.`);
    const found = present === undefined ? "there is none" : `the one here has ${present}`;
    return failed(
      `The database needs the key with the fingerprint ${stored}, and ${found}.`,
      "Restore it: ENCRYPTION_KEY, or the file encryption.key in the data folder.",
    );
  },
};
