import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { resolveTeam } from "../../resolve-team.ts";
import { openSession } from "../../session.ts";
import { formatTime } from "../../terminal/format.ts";
import { fieldLines } from "../../terminal/table.ts";

export default defineCommand({
  summary: "Show a team and its config.",
  args: { team: { type: "positional", description: "Its id or exact name" }, ...CONNECTION },
  async run(args) {
    const { api, out } = openSession(args);
    const team = await api.getTeam(await resolveTeam(api, args.team));
    if (args.json) {
      out.json(team);
      return EXIT.ok;
    }
    const lines = fieldLines({
      id: team.id,
      name: team.name,
      description: team.description,
      mode: team.mode,
      members: team.members.map(({ agent_id, role }) => `${agent_id} (${role})`).join(", "),
      created: formatTime(team.created_at),
    });
    lines.forEach((line) => out.line(line));
    out.line("");
    out.text(JSON.stringify(team.config, null, 2));
    out.endLine();
    return EXIT.ok;
  },
});
