import { CONNECTION } from "../arguments/arguments.ts";
import { defineCommand } from "../arguments/define-command.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { compareFolder } from "../resources/ask-service.ts";
import { planWithFiles, printPlan } from "../resources/print-plan.ts";
import { reportMistakes } from "../resources/report-mistakes.ts";
import { requireFolder } from "../resources/read-folder.ts";
import { openSession } from "../service/session.ts";
import { variableOf } from "../service/settings.ts";

/** `muster diff` */
export default defineCommand({
  summary: "Compare a folder with the workspace; exits with 2 if they differ",
  examples: ["diff ws", "diff ws --json"],
  args: { folder: { type: "positional", description: "A folder of muster pull" }, ...CONNECTION },
  async run(args) {
    const { muster, out } = openSession(args);
    return reportMistakes(out, args, async () => {
      const folder = await requireFolder(args.folder);
      const { plan } = await compareFolder(muster, folder, variableOf);
      if (args.json) out.json(planWithFiles(plan, folder));
      else printPlan(out, plan, folder);
      return plan.changes.length + plan.extra.length === 0 ? EXIT.ok : EXIT.differs;
    });
  },
});
