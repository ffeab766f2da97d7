import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { FORMAT, TO_FILE, writeExport } from "../../export-file.ts";
import { resolveTeam } from "../../resolve-team.ts";
import { openSession } from "../../session.ts";

export default defineCommand({
  summary: "Write a team and all of its agents as a file.",
  args: { team: { type: "positional", description: "Its id or exact name" }, ...TO_FILE, ...FORMAT, ...CONNECTION },
  async run(args) {
    const { api, out } = openSession(args);
    const exported = await api.exportResource("teams", { id: await resolveTeam(api, args.team), format: args.format });
    return writeExport(out, exported, args);
  },
});
