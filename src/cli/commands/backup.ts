import { defineCommand } from "../arguments/define-command.ts";
import { EXIT } from "../errors/exit-codes.ts";

/** `muster backup` */
export default defineCommand({
  summary: "Back up database and files while the service runs; needs access to the database",
  examples: ["backup muster.backup", "backup - > muster.backup", "backup --verify muster.backup"],
  args: {
    file: { type: "positional", description: "Path of the new file; - writes to standard output", required: true },
    verify: { type: "boolean", description: "Check an existing backup instead" },
  },
  async run({ file, verify }) {
    const { backUp, verifyBackup } = await import("../../service/backup/run.ts");
    await (verify ? verifyBackup(file) : backUp(file));
    return EXIT.ok;
  },
});
