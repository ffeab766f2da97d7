import { ok, warning } from "../define-check.ts";
import type { Check } from "../define-check.ts";

/** How requests are connected. That the engine has no pooler in between was checked with the connection. */
export const pooler: Check = {
  name: "pooler",
  of: "database",
  run({ place: { requests } }) {
    if (!requests.isPooled) return ok("Requests connect without a transaction pooler.");
    if (requests.keepsStatements) return ok("Requests connect through a transaction pooler that keeps statements.");
    return warning(
      "The pooler of requests keeps no prepared statements, so each is planned again.",
      "Use PgBouncer 1.21 or newer with max_prepared_statements = 200.",
    );
  },
};
