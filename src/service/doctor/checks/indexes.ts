import { ok, warning } from "../define-check.ts";
import type { ServerCheck } from "../define-check.ts";
import { someOf } from "../some-of.ts";

/** Whether all indexes are used. */
export const indexes: ServerCheck = {
  name: "indexes",
  of: "server",
  run({ invalidIndexes: invalid }) {
    if (invalid.length === 0) return ok("All indexes are valid.");
    return warning(
      `Indexes are not used: ${someOf(invalid)}.`,
      `Run for each: REINDEX INDEX CONCURRENTLY ${invalid[0]};`,
    );
  },
};
