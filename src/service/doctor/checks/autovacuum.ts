import { ok, warning } from "../define-check.ts";
import type { ServerCheck } from "../define-check.ts";
import { someOf } from "../some-of.ts";

/** Whether the database removes dead rows itself. */
export const autovacuum: ServerCheck = {
  name: "autovacuum",
  of: "server",
  run({ autovacuum: setting, withoutAutovacuum }) {
    if (setting !== "on") {
      return warning(
        "Autovacuum is off: tables grow, and get slow.",
        "Set autovacuum to on in postgresql.conf, and reload.",
      );
    }
    if (withoutAutovacuum.length > 0) {
      return warning(
        `Autovacuum is off for ${someOf(withoutAutovacuum)}.`,
        `Run: ALTER TABLE ${withoutAutovacuum[0]} RESET (autovacuum_enabled);`,
      );
    }
    return ok("Autovacuum is on for all tables.");
  },
};
