import { CONNECTION } from "../arguments.ts";
import { defineCommand, defineGroup } from "../define-command.ts";
import { FORMAT, TO_FILE, writeExport } from "../export-file.ts";
import { resolveAgent } from "../resolve-agent.ts";
import { resolveTeam } from "../resolve-team.ts";
import { openSession } from "../session.ts";

const agent = defineCommand({
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

const team = defineCommand({
  summary: "Write a team and all of its agents as a file.",
  args: { team: { type: "positional", description: "Its id or exact name" }, ...TO_FILE, ...FORMAT, ...CONNECTION },
  async run(args) {
    const { api, out } = openSession(args);
    const exported = await api.exportResource("teams", { id: await resolveTeam(api, args.team), format: args.format });
    return writeExport(out, exported, args);
  },
});

/** `muster export …` */
export default defineGroup("Write a file that another workspace or instance can import.", { agent, team });
