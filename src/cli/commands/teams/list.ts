import { CONNECTION, LIMIT, parseCount } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";
import { tableLines } from "../../terminal/table.ts";

export default defineCommand({
  summary: "List teams, newest first.",
  args: { ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { api, out } = openSession(args);
    const { items, hasMore } = await api.listTeams(limit);
    if (args.json) out.json(items);
    else if (items.length === 0) out.note("No teams yet. Make one: muster teams create --name Crew --mode pipeline");
    else {
      const rows = items.map(({ id, name, mode, members }) => [id, name, mode, String(members.length)]);
      tableLines(["ID", "NAME", "MODE", "MEMBERS"], rows).forEach((line) => out.line(line));
    }
    if (hasMore) out.note(`There are more; raise --limit (now ${limit}) to see them.`, "dim");
    return EXIT.ok;
  },
});
