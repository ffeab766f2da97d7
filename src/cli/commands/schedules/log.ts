import { CONNECTION, LIMIT, parseCount } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { createSchedulesApi } from "../../schedules-api.ts";
import { openSession } from "../../session.ts";
import { formatDuration, formatTime } from "../../terminal/format.ts";
import { tableLines } from "../../terminal/table.ts";

export default defineCommand({
  summary: "List what became of a schedule's times, newest first.",
  args: { id: { type: "positional", description: "Its id" }, ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { client, out } = openSession(args);
    const { items, hasMore } = await createSchedulesApi(client).log(args.id, limit);
    if (args.json) out.json(items);
    else {
      const rows = items.map(({ scheduled_at, outcome, ticks, late_ms, task_id }) => [
        formatTime(scheduled_at),
        outcome,
        String(ticks),
        formatDuration(late_ms),
        task_id ?? "",
      ]);
      tableLines(["TIME", "OUTCOME", "TIMES", "LATE BY", "TASK"], rows).forEach((line) => out.line(line));
    }
    if (hasMore) out.note(`There are more; raise --limit (now ${limit}) to see them.`, "dim");
    return EXIT.ok;
  },
});
