import { TASK_STATUSES } from "#domain/task.ts";
import { CONNECTION, LIMIT, parseCount } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";
import { formatTime } from "../../terminal/format.ts";
import { tableLines } from "../../terminal/table.ts";

export default defineCommand({
  summary: "List tasks, newest first.",
  args: {
    status: { type: "enum", options: [...TASK_STATUSES], description: "Only tasks in this state" },
    ...LIMIT,
    ...CONNECTION,
  },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { api, out } = openSession(args);
    const { items, hasMore } = await api.listTasks({ limit, status: args.status });
    if (args.json) out.json(items);
    else if (items.length === 0) out.note(args.status ? `No task is ${args.status}.` : "No tasks yet.");
    else {
      const rows = items.map(({ id, status, priority, created_at, title }) => [
        id,
        status,
        priority,
        formatTime(created_at),
        title,
      ]);
      tableLines(["ID", "STATUS", "PRIORITY", "CREATED", "TITLE"], rows).forEach((line) => out.line(line));
    }
    if (hasMore) out.note(`There are more; raise --limit (now ${limit}) to see them.`, "dim");
    return EXIT.ok;
  },
});
