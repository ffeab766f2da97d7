import { CONNECTION, LIMIT, parseCount } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";
import { formatTime } from "../../terminal/format.ts";
import { tableLines } from "../../terminal/table.ts";
import { createToolsApi } from "../../tools-api.ts";

export default defineCommand({
  summary: "List the calls of a custom tool, newest first.",
  args: { tool: { type: "positional", description: "Its id or exact name" }, ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { client, out } = openSession(args);
    const tools = createToolsApi(client);
    const { items, hasMore } = await tools.calls(await tools.resolve(args.tool), limit);
    if (args.json) out.json(items);
    else if (items.length === 0) out.note("It was not called yet.");
    else {
      const rows = items.map((call) => [
        formatTime(call.created_at),
        call.status,
        call.http_status === null ? "" : String(call.http_status),
        `${call.duration_ms} ms`,
        call.task_id ?? "test",
        call.error ?? "",
      ]);
      tableLines(["TIME", "STATUS", "HTTP", "TOOK", "FOR", "ERROR"], rows).forEach((line) => out.line(line));
    }
    if (hasMore) out.note(`There are more; raise --limit (now ${limit}) to see them.`, "dim");
    return EXIT.ok;
  },
});
