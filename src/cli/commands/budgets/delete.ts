import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";

export default defineCommand({
  summary: "Delete a budget with what it counted.",
  args: { id: { type: "positional", description: "Its id, as the list shows it" }, ...CONNECTION },
  async run(args) {
    const { id } = args;
    const { api, out } = openSession(args);
    await api.deleteBudget(id);
    if (args.json) out.json({ id, deleted: true });
    else out.line(`Deleted budget ${id}`);
    return EXIT.ok;
  },
});
