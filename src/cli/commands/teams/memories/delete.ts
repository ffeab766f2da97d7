import { CONNECTION } from "../../../arguments.ts";
import { defineCommand } from "../../../define-command.ts";
import { UsageError } from "../../../errors/cli-error.ts";
import { EXIT } from "../../../errors/exit-codes.ts";
import { resolveTeam } from "../../../resolve-team.ts";
import { openSession } from "../../../session.ts";

export default defineCommand({
  summary: "Make a team forget a run, or all of them.",
  args: {
    team: { type: "positional", description: "Its id or exact name" },
    id: { type: "positional", required: false, description: "The memory's id" },
    all: { type: "boolean", description: "Forget everything" },
    ...CONNECTION,
  },
  async run(args) {
    const id = args.id === "" ? undefined : args.id;
    if ((id === undefined) === (args.all !== true)) throw new UsageError("Give the id of a memory, or --all.");
    const { api, out } = openSession(args);
    const teamId = await resolveTeam(api, args.team);
    await api.deleteMemories(teamId, id);
    if (args.json) out.json({ team_id: teamId, ...(id !== undefined && { id }), deleted: true });
    else out.line(id === undefined ? `Team ${teamId} has forgotten its runs` : `Deleted memory ${id}`);
    return EXIT.ok;
  },
});
