import { defineCommand } from "../arguments/define-command.ts";
import { UsageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";

/** `muster restore` */
export default defineCommand({
  summary: "Restore a backup into an empty database; the copy is held until its release",
  examples: ["restore muster.backup", "restore --release"],
  args: {
    file: { type: "positional", description: "Path of the backup", required: false },
    release: { type: "boolean", description: "Let the restored copy act: runs, schedules, triggers, deliveries" },
  },
  async run({ file, release }) {
    if ((file === undefined) === (release !== true)) throw new UsageError("Give the path of a backup, or --release.");
    if (file === undefined) {
      const { releaseRestored } = await import("../../service/operator.ts");
      await releaseRestored();
    } else {
      const { restore } = await import("../../service/backup/run.ts");
      await restore(file);
    }
    return EXIT.ok;
  },
});
