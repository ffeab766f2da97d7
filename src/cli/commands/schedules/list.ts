import { CONNECTION, LIMIT, parseCount } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { createSchedulesApi } from "../../schedules-api.ts";
import { openSession } from "../../session.ts";
import { formatTime } from "../../terminal/format.ts";
import { tableLines } from "../../terminal/table.ts";

export default defineCommand({
  summary: "List schedules, newest first.",
  args: { ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { client, out } = openSession(args);
    const { items, hasMore } = await createSchedulesApi(client).list(limit);
    if (args.json) out.json(items);
    else {
      const rows = items.map(({ id, name, cron, time_zone, is_active, next_times: [next] }) => [
        id,
        name,
        cron,
        time_zone,
        is_active ? formatTime(next) : "paused",
      ]);
      tableLines(["ID", "NAME", "CRON", "TIME ZONE", "NEXT"], rows).forEach((line) => out.line(line));
    }
    if (hasMore) out.note(`There are more; raise --limit (now ${limit}) to see them.`, "dim");
    return EXIT.ok;
  },
});
