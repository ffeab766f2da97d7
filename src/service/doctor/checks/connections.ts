import { findConnectionShortage } from "#db/connection-budget.ts";
import { connectionsOf } from "../../connections.ts";
import { ok, warning } from "../define-check.ts";
import type { Check } from "../define-check.ts";

/** Whether the server allows as many connections as the processes may open. */
export const connections: Check = {
  name: "connections",
  of: "database",
  async run({ db, config, place: { requests } }) {
    const shortage = await findConnectionShortage(db, connectionsOf(config, requests));
    return shortage === undefined
      ? ok("The server allows enough connections.")
      : warning(shortage, "See docs/operations.md#database.");
  },
};
