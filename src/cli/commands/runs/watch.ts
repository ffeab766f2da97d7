import { WATCHING } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { openSession } from "../../session.ts";
import { watchRun } from "../../watch/watch-run.ts";

export default defineCommand({
  summary: "Show a run's steps from its start, and wait for its end.",
  args: { id: { type: "positional", description: "The run's id" }, ...WATCHING },
  async run(args) {
    const session = openSession(args);
    const { id } = await session.api.getRun(args.id);
    return watchRun(session, id, args.json ? "json" : "text");
  },
});
