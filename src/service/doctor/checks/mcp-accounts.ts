import { serversWithLostAccounts } from "#db/queries/doctor/work.ts";
import { ok, warning } from "../define-check.ts";
import type { Check } from "../define-check.ts";
import { someOf } from "../some-of.ts";

/** Whether all accounts at MCP servers work. */
export const mcpAccounts: Check = {
  name: "MCP accounts",
  of: "database",
  async run({ db }) {
    const servers = await serversWithLostAccounts(db);
    if (servers.length === 0) return ok("No account at an MCP server is lost.");
    return warning(
      `Accounts are lost at the MCP servers ${someOf(servers)}; calls that need them wait.`,
      "Ask their owners to sign in again: Home in their console names the servers.",
    );
  },
};
