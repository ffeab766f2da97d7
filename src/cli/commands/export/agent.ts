import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { TO_FILE, writeExport } from "../../export-file.ts";
import { resolveAgent } from "../../resolve-agent.ts";
import { openSession } from "../../session.ts";

export default defineCommand({
  summary: "Write an agent as a file, without credentials and what belongs to its workspace.",
  args: { agent: { type: "positional", description: "Its id or exact name" }, ...TO_FILE, ...CONNECTION },
  async run(args) {
    const { api, out } = openSession(args);
    const exported = await api.exportResource("agents", await resolveAgent(api, args.agent));
    return writeExport(out, exported, args);
  },
});
