import { formatSize } from "#lib/text/format-size.ts";
import { CONNECTION } from "../arguments/arguments.ts";
import { defineCommand } from "../arguments/define-command.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { openSession } from "../service/session.ts";
import { formatTokens } from "../terminal/format.ts";

/** `muster limits` */
export default defineCommand({
  summary: "Show what your workspace uses of its plan's quotas",
  args: CONNECTION,
  async run(args) {
    const { muster, out } = openSession(args);
    const workspace = await muster.getWorkspace();
    if (args.json) {
      out.json(workspace);
      return EXIT.ok;
    }
    const { records, stored_bytes, schedules } = workspace.quotas;
    const rows = [
      rowOf("records", records, formatTokens),
      rowOf("files and documents", stored_bytes, formatSize),
      rowOf("schedules", schedules, formatTokens),
    ];
    out.table([`PLAN ${workspace.plan}`, "USED", "LIMIT"], rows);
    return EXIT.ok;
  },
});

interface Quota {
  readonly used: number;
  readonly limit: number | null;
}

function rowOf(name: string, { used, limit }: Quota, format: (amount: number) => string): string[] {
  return [name, format(used), limit === null ? "none" : format(limit)];
}
