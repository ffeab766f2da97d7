import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";

export default defineCommand({
  summary: "Remove a person from your workspace, or leave it; the person's keys end at once.",
  args: { "user-id": { type: "positional", description: "The person's id, as the list shows it" }, ...CONNECTION },
  async run(args) {
    const id = args["user-id"];
    const { api, out } = openSession(args);
    await api.removeMember(id);
    if (args.json) out.json({ user_id: id, removed: true });
    else out.line(`Removed ${id}`);
    return EXIT.ok;
  },
});
