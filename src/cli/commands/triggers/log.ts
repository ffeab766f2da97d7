import { CONNECTION, LIMIT, parseCount } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";
import { formatTime } from "../../terminal/format.ts";
import { tableLines } from "../../terminal/table.ts";
import { createTriggersApi } from "../../triggers-api.ts";

export default defineCommand({
  summary: "List what was delivered to a trigger, newest first.",
  args: { id: { type: "positional", description: "Its id" }, ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { client, out } = openSession(args);
    const { items, hasMore } = await createTriggersApi(client).log(args.id, limit);
    if (args.json) out.json(items);
    else {
      const rows = items.map(({ created_at, outcome, bytes, delivery_key, task_id, reason }) => [
        formatTime(created_at),
        outcome,
        String(bytes),
        delivery_key ?? "",
        task_id ?? reason ?? "",
      ]);
      tableLines(["TIME", "OUTCOME", "BYTES", "DELIVERY", "TASK OR REASON"], rows).forEach((line) => out.line(line));
    }
    if (hasMore) out.note(`There are more; raise --limit (now ${limit}) to see them.`, "dim");
    return EXIT.ok;
  },
});
