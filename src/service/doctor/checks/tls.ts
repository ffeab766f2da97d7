import { ok, warning } from "../define-check.ts";
import type { ServerCheck } from "../define-check.ts";

/** Whether what goes to the database over a network is encrypted. */
export const tls: ServerCheck = {
  name: "TLS",
  of: "server",
  run({ isEncrypted, isOnThisMachine }) {
    if (isEncrypted) return ok("The connection to the database is encrypted.");
    if (isOnThisMachine) return ok("The database is on this machine.");
    return warning(
      "The connection to the database is not encrypted.",
      "Add sslmode=verify-full&sslrootcert=… to DATABASE_URL.",
    );
  },
};
