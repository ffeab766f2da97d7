import { CONNECTION } from "../arguments/arguments.ts";
import { defineCommand } from "../arguments/define-command.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { openSession } from "../service/session.ts";
import { fieldLines } from "../terminal/table.ts";

/** `muster whoami` */
export default defineCommand({
  summary: "Show the user and workspace of your key",
  args: CONNECTION,
  async run(args) {
    const { muster, out, settings } = openSession(args);
    const me = await muster.getIdentity();
    if (args.json) {
      out.json(me);
      return EXIT.ok;
    }
    const lines = fieldLines({
      user: me.name === "" ? me.email : `${me.name} <${me.email}>`,
      workspace: `${me.workspace_name} (${me.workspace_id})`,
      plan: me.plan,
      service: settings.url,
    });
    lines.forEach((line) => out.line(line));
    return EXIT.ok;
  },
});
