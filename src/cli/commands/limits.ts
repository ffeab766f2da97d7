import { CONNECTION } from "../arguments/arguments.ts";
import { defineCommand } from "../arguments/define-command.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { openSession } from "../service/session.ts";

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
    const rows = Object.entries(workspace.quotas).map(([name, { used, limit }]) => [
      name.replaceAll("_", " "),
      String(used),
      limit === null ? "none" : String(limit),
    ]);
    out.table([`PLAN ${workspace.plan}`, "USED", "LIMIT"], rows);
    return EXIT.ok;
  },
});
