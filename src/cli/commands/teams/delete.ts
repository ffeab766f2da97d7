import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { resolveTeam } from "../../resolve-team.ts";
import { openSession } from "../../session.ts";

export default defineCommand({
  summary: "Delete a team; its tasks and runs that have not ended are cancelled.",
  args: { team: { type: "positional", description: "Its id or exact name" }, ...CONNECTION },
  async run(args) {
    const { api, out } = openSession(args);
    const id = await resolveTeam(api, args.team);
    await api.deleteTeam(id);
    if (args.json) out.json({ id, deleted: true });
    else out.line(`Deleted team ${id}`);
    return EXIT.ok;
  },
});
