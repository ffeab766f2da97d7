import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";

export default defineCommand({
  summary: "Cancel a task; what its agent is doing is broken off.",
  args: { id: { type: "positional", description: "The task's id" }, ...CONNECTION },
  async run(args) {
    const { api, out } = openSession(args);
    const task = await api.cancelTask(args.id);
    if (args.json) out.json(task);
    else out.line(`Cancelled task ${task.id}`);
    return EXIT.ok;
  },
});
