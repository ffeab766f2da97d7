import { CONNECTION } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { FORMAT, TO_FILE, writeExport } from "../export-file.ts";
import { resolveAgent } from "../arguments/resolve-agent.ts";
import { resolveTeam } from "../arguments/resolve-team.ts";
import { openSession } from "../service/session.ts";

const agent = defineCommand({
  summary: "Export an agent, excluding credentials and workspace-specific data",
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

const team = defineCommand({
  summary: "Export a team with its agents",
  args: { team: { type: "positional", description: "Its id or exact name" }, ...TO_FILE, ...FORMAT, ...CONNECTION },
  async run(args) {
    const { api, out } = openSession(args);
    const exported = await api.exportResource("teams", { id: await resolveTeam(api, args.team), format: args.format });
    return writeExport(out, exported, args);
  },
});

/** `muster export …` */
export default defineGroup("Export agents and teams", { agent, team });
