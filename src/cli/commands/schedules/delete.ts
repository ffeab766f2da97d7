import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { createSchedulesApi } from "../../schedules-api.ts";
import { openSession } from "../../session.ts";

export default defineCommand({
  summary: "Delete a schedule with its log; the tasks that it made stay.",
  args: { id: { type: "positional", description: "Its id" }, ...CONNECTION },
  async run(args) {
    const { client, out } = openSession(args);
    await createSchedulesApi(client).remove(args.id);
    if (args.json) out.json({ id: args.id, deleted: true });
    else out.line(`Deleted schedule ${args.id}`);
    return EXIT.ok;
  },
});
