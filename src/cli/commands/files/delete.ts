import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";

export default defineCommand({
  summary: "Delete a file; not while its task or run is under way.",
  args: { id: { type: "positional", description: "Its id" }, ...CONNECTION },
  async run(args) {
    const { id } = args;
    const { api, out } = openSession(args);
    await api.deleteFile(id);
    if (args.json) out.json({ id, deleted: true });
    else out.line(`Deleted file ${id}`);
    return EXIT.ok;
  },
});
