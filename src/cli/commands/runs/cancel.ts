import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";

export default defineCommand({
  summary: "Cancel a run; what its agents are doing is broken off.",
  args: { id: { type: "positional", description: "The run's id" }, ...CONNECTION },
  async run(args) {
    const { api, out } = openSession(args);
    const run = await api.cancelRun(args.id);
    if (args.json) out.json(run);
    else out.line(`Cancelled run ${run.id}`);
    return EXIT.ok;
  },
});
