import { readUnprotectedTables } from "#db/queries/doctor/access.ts";
import { failed, ok } from "../define-check.ts";
import type { Check } from "../define-check.ts";
import { someOf } from "../some-of.ts";

/** Whether each table of tenants shows a workspace only its own rows. */
export const rowLevelSecurity: Check = {
  name: "row-level security",
  of: "database",
  async run({ db }) {
    const unprotected = await readUnprotectedTables(db);
    if (unprotected.length === 0) return ok("Every table of tenants is isolated.");
    return failed(
      `Rows of other workspaces can be read in ${someOf(unprotected)}.`,
      "Compare their policies with src/db/gen/schema.sql, and run: ALTER TABLE … ENABLE ROW LEVEL SECURITY;",
    );
  },
};
