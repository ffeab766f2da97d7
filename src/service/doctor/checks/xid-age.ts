import { failed, ok, warning } from "../define-check.ts";
import type { ServerCheck } from "../define-check.ts";

/** PostgreSQL freezes rows at 200 million by default. */
const LATE = 1_000_000_000;
/** PostgreSQL stops at 2,147 million less three. */
const DANGEROUS = 1_800_000_000;
const MILLION = 1_000_000;
const REMEDY = "Run VACUUM (FREEZE), and end old transactions, prepared transactions and replication slots.";

/** How far the database is from the end of its transaction ids. */
export const xidAge: ServerCheck = {
  name: "xid age",
  of: "server",
  run({ xidAge: age }) {
    const text = `The oldest transaction id is ${Math.round(age / MILLION)} million transactions old.`;
    if (age >= DANGEROUS) return failed(`${text} At 2,147 million PostgreSQL stops.`, REMEDY);
    return age >= LATE ? warning(text, REMEDY) : ok(text);
  },
};
