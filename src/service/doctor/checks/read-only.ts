import { failed, ok } from "../define-check.ts";
import type { ServerCheck } from "../define-check.ts";

/** Whether the database accepts writes. */
export const readOnly: ServerCheck = {
  name: "read-only",
  of: "server",
  run: ({ isReadOnly }) =>
    isReadOnly
      ? failed(
          "The database accepts no writes.",
          "Connect to the primary, or set default_transaction_read_only to off.",
        )
      : ok("The database accepts writes."),
};
