import { readForeignGrants, readMissingGrants } from "#db/queries/doctor/access.ts";
import { failed, ok, warning } from "../define-check.ts";
import type { Check } from "../define-check.ts";
import { someOf } from "../some-of.ts";

/** Whether the service's roles have their rights, and others have none. */
export const grants: Check = {
  name: "grants",
  of: "database",
  async run({ db }) {
    const missing = await readMissingGrants(db);
    if (missing.length > 0) {
      return failed(
        `The table API cannot read ${someOf(missing)}.`,
        "Grant it to muster_viewer: GRANT SELECT ON ALL TABLES IN SCHEMA table_api TO muster_viewer;",
      );
    }
    const foreign = await readForeignGrants(db);
    if (foreign.length > 0) {
      return warning(`Other roles have rights: ${someOf(foreign)}.`, "Revoke them, unless you gave them for reports.");
    }
    return ok("Only the roles of the service have rights.");
  },
};
