import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";

export default defineCommand({
  summary: "Copy an offered agent into your workspace.",
  args: { agent: { type: "positional", description: "Its id in the marketplace" }, ...CONNECTION },
  async run(args) {
    const { api, out } = openSession(args);
    const installed = await api.installAgent(args.agent);
    if (args.json) out.json(installed);
    else out.line(`Installed as agent ${installed.agent_id}; workspaces that installed it: ${installed.install_count}`);
    return EXIT.ok;
  },
});
