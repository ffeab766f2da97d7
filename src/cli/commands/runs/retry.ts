import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";

export default defineCommand({
  summary: "Start a run that goes on at the step where this one failed or was cancelled.",
  args: { id: { type: "positional", description: "The run's id" }, ...CONNECTION },
  async run(args) {
    const { api, out } = openSession(args);
    const run = await api.retryRun(args.id);
    if (args.json) out.json(run);
    else out.line(`Started run ${run.id} (${run.status})`);
    return EXIT.ok;
  },
});
