import { CONNECTION, LIMIT, parseCount } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { resolveTeam } from "../../resolve-team.ts";
import { openSession } from "../../session.ts";
import { formatTime } from "../../terminal/format.ts";
import { tableLines } from "../../terminal/table.ts";

export default defineCommand({
  summary: "List runs of teams, newest first.",
  args: {
    team: { type: "string", valueHint: "id or name", description: "Only runs of this team" },
    ...LIMIT,
    ...CONNECTION,
  },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { api, out } = openSession(args);
    const teamId = args.team === undefined ? undefined : await resolveTeam(api, args.team);
    const { items, hasMore } = await api.listRuns({ limit, teamId });
    if (args.json) out.json(items);
    else if (items.length === 0) out.note("No runs yet.");
    else {
      const rows = items.map(({ id, status, created_at, input_task }) => [
        id,
        status,
        formatTime(created_at),
        input_task.split("\n", 1).join(""),
      ]);
      tableLines(["ID", "STATUS", "CREATED", "TASK"], rows).forEach((line) => out.line(line));
    }
    if (hasMore) out.note(`There are more; raise --limit (now ${limit}) to see them.`, "dim");
    return EXIT.ok;
  },
});
