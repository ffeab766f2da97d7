import { CONNECTION, LIMIT, parseCount } from "../../../arguments.ts";
import { defineCommand } from "../../../define-command.ts";
import { EXIT } from "../../../errors/exit-codes.ts";
import { resolveTeam } from "../../../resolve-team.ts";
import { openSession } from "../../../session.ts";
import { formatTime } from "../../../terminal/format.ts";
import { tableLines } from "../../../terminal/table.ts";

export default defineCommand({
  summary: "List what a team remembers of its runs, newest first.",
  args: { team: { type: "positional", description: "Its id or exact name" }, ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { api, out } = openSession(args);
    const { items, hasMore } = await api.listMemories(await resolveTeam(api, args.team), limit);
    if (args.json) out.json(items);
    else if (items.length === 0) out.note("It remembers nothing.");
    else {
      const rows = items.map(({ id, status, created_at, task, outcome }) => [
        id,
        status,
        formatTime(created_at),
        firstLine(task),
        firstLine(outcome),
      ]);
      tableLines(["ID", "STATUS", "AT", "TASK", "OUTCOME"], rows).forEach((line) => out.line(line));
    }
    if (hasMore) out.note(`There are more; raise --limit (now ${limit}) to see them.`, "dim");
    return EXIT.ok;
  },
});

function firstLine(text: string): string {
  return text.split("\n", 1).join("");
}
