import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";
import { formatTime } from "../../terminal/format.ts";
import { tableLines } from "../../terminal/table.ts";

export default defineCommand({
  summary: "List the people of your workspace and their roles.",
  args: CONNECTION,
  async run(args) {
    const { api, out } = openSession(args);
    const members = await api.listMembers();
    if (args.json) out.json(members);
    else {
      const rows = members.map(({ user_id, email, name, role, created_at }) => [
        user_id,
        email,
        name,
        role,
        formatTime(created_at),
      ]);
      tableLines(["USER ID", "EMAIL", "NAME", "ROLE", "SINCE"], rows).forEach((line) => out.line(line));
    }
    return EXIT.ok;
  },
});
