import { CONNECTION, LIMIT, parseCount } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";
import { formatTime } from "../../terminal/format.ts";
import { tableLines } from "../../terminal/table.ts";

export default defineCommand({
  summary: "List files, newest first.",
  args: {
    task: { type: "string", valueHint: "id", description: "Only those of this task" },
    run: { type: "string", valueHint: "id", description: "Only those of this run" },
    ...LIMIT,
    ...CONNECTION,
  },
  async run(args) {
    const { task, run } = args;
    const limit = parseCount("limit", args.limit);
    const { api, out } = openSession(args);
    const filter = { ...(task !== undefined && { task_id: task }), ...(run !== undefined && { run_id: run }) };
    const { items, hasMore } = await api.listFiles({ limit, filter });
    if (args.json) out.json(items);
    else if (items.length === 0) out.note("No files. Upload one: muster files upload report.pdf");
    else {
      const rows = items.map((file) => [
        file.id,
        file.name,
        file.type,
        String(file.size),
        file.direction,
        file.task_id ?? file.run_id ?? "",
        formatTime(file.created_at),
      ]);
      const headings = ["ID", "NAME", "TYPE", "BYTES", "DIRECTION", "OF", "CREATED"];
      tableLines(headings, rows).forEach((line) => out.line(line));
    }
    if (hasMore) out.note(`There are more; raise --limit (now ${limit}) to see them.`, "dim");
    return EXIT.ok;
  },
});
