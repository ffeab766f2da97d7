import { CONNECTION } from "../arguments/arguments.ts";
import { defineCommand } from "../arguments/define-command.ts";
import { YES } from "../arguments/define-deletion.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { applyFolder, compareFolder } from "../resources/ask-service.ts";
import { planWithFiles, printPlan } from "../resources/print-plan.ts";
import { requireFolder } from "../resources/read-folder.ts";
import { reportMistakes } from "../resources/report-mistakes.ts";
import { openSession } from "../service/session.ts";
import { variableOf } from "../service/settings.ts";
import { confirm, isInteractive } from "../terminal/prompt.ts";
import { safeText } from "../terminal/safe-text.ts";

/** `muster apply` */
export default defineCommand({
  summary: "Change the workspace to what a folder describes, all or nothing",
  examples: ["apply ws --dry-run", "apply ws --prune"],
  args: {
    folder: { type: "positional", description: "A folder of muster pull" },
    "dry-run": { type: "boolean", description: "Try everything, and change nothing" },
    prune: { type: "boolean", description: "Delete the records of the folder's kinds that have no file" },
    ...YES,
    ...CONNECTION,
  },
  async run(args) {
    const { muster, out, settings } = openSession(args);
    const { prune = false, "dry-run": isDry = false } = args;
    return reportMistakes(out, args, async () => {
      const folder = await requireFolder(args.folder);
      const { plan, variables } = await compareFolder(muster, folder, variableOf);
      if (prune && plan.extra.length > 0 && !isDry && args.yes !== true && isInteractive()) {
        printPlan(out, plan, folder);
        await confirm(`Delete ${plan.extra.length} of the workspace's records?`, "Their histories are deleted, too.");
      }
      const { revision } = plan;
      const applied = await applyFolder(muster, folder, { revision, variables, prune, dry_run: isDry });
      if (args.json) out.json(planWithFiles(applied, folder));
      else printPlan(out, applied, folder);
      for (const { name, token } of args.json ? [] : applied.changes) {
        if (token !== null)
          out.line(safeText(`URL of the trigger ${name}, shown only now: ${settings.url}/hooks/in/${token}`));
      }
      return EXIT.ok;
    });
  },
});
