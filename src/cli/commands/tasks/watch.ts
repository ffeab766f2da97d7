import { WATCHING } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { openSession } from "../../session.ts";
import { watchTask } from "../../watch/watch-task.ts";

export default defineCommand({
  summary: "Show a task's run from its start, and wait for its end.",
  args: { id: { type: "positional", description: "The task's id" }, ...WATCHING },
  async run(args) {
    const session = openSession(args);
    const task = await session.api.getTask(args.id);
    return watchTask(session, task, args.json ? "json" : "text");
  },
});
