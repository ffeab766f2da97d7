import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { FORMAT, TO_FILE, writeExport } from "../../export-file.ts";
import { resolveAgent } from "../../resolve-agent.ts";
import { openSession } from "../../session.ts";

export default defineCommand({
  summary: "Write an agent as a file, without credentials and what belongs to its workspace.",
  args: { agent: { type: "positional", description: "Its id or exact name" }, ...TO_FILE, ...FORMAT, ...CONNECTION },
  async run(args) {
    const { api, out } = openSession(args);
    const exported = await api.exportResource("agents", {
      id: await resolveAgent(api, args.agent),
      format: args.format,
    });
    return writeExport(out, exported, args);
  },
});
