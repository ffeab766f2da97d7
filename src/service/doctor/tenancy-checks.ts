import { failed, ok } from "./define-check.ts";
import type { Finding } from "./define-check.ts";

/** How many faults of a check are named, and how much of each. */
const MAX_NAMED = 5;
const MAX_LENGTH = 300;

const COMPARE = "Compare the table's policies and rights with those of a new database, and correct them.";
const REPORT = "Look for a proxy that changes answers, and update Muster; if it stays, report it as SECURITY.md says.";

/** What each check of tenancy says when it finds nothing, and what to do otherwise. */
const CHECKS = {
  "rights of roles": {
    ok: "The roles of requests have the rights that this version gives them.",
    remedy: "REVOKE what this version does not grant, and GRANT what is missing.",
  },
  "rights of views": {
    ok: "Views show their callers what the tables would show them.",
    remedy: "Run for each: ALTER VIEW … SET (security_invoker = true);",
  },
  "tables without a workspace": { ok: "Without a workspace no role sees a row of any table.", remedy: COMPARE },
  "tables of another workspace": { ok: "In a workspace each role sees its rows only.", remedy: COMPARE },
  "writes to another workspace": { ok: "No role can write a row of another workspace.", remedy: COMPARE },
  "tables of limited keys": { ok: "Limited keys see no row without what they are limited to.", remedy: COMPARE },
  "routes with ids of another workspace": {
    ok: "Every route answers as to unknown ids, and changes nothing.",
    remedy: REPORT,
  },
  "routes without ids": { ok: "No route shows or changes anything of another workspace.", remedy: REPORT },
  "routes without a key": { ok: "Every route rejects requests without a key, and with a wrong one.", remedy: REPORT },
} as const;

/** The name of a check of tenancy. */
export type TenancyCheck = keyof typeof CHECKS;

/** The names of all checks of tenancy, in the order of the report. */
export const TENANCY_CHECKS: readonly string[] = [...Object.keys(CHECKS), "scratch workspaces"];

/** Makes the finding of a check. @param faults in words */
export function judge(check: TenancyCheck, faults: readonly string[]): Finding {
  const { ok: sound, remedy } = CHECKS[check];
  if (faults.length === 0) return ok(sound);
  const named = faults.slice(0, MAX_NAMED).map((fault) => fault.replaceAll(/\s+/g, " ").slice(0, MAX_LENGTH));
  const more = faults.length > MAX_NAMED ? ` and ${faults.length - MAX_NAMED} more` : "";
  return failed(`${named.join("; ")}${more}.`, remedy);
}
