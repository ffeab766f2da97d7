import { CONNECTION } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { openSession } from "../service/session.ts";
import { formatTime } from "../terminal/format.ts";
import { safeText } from "../terminal/safe-text.ts";
import { tableLines } from "../terminal/table.ts";

const list = defineCommand({
  summary: "List members and their roles",
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

const invite = defineCommand({
  summary: "Invite a person and print the one-time link once",
  args: {
    email: { type: "positional", description: "E-mail address" },
    role: { type: "string", default: "member", description: "viewer, member, admin or owner" },
    ...CONNECTION,
  },
  async run(args) {
    const { email, role } = args;
    const { api, out } = openSession(args);
    const invitation = await api.invite({ email, role });
    if (args.json) out.json(invitation);
    else {
      out.line(safeText(invitation.link));
      out.note(`Send the link to ${email}; it expires ${formatTime(invitation.expires_at)}.`, "dim");
    }
    return EXIT.ok;
  },
});

const remove = defineCommand({
  summary: "Remove a member, or leave; the person's keys end immediately",
  args: { "user-id": { type: "positional", description: "User id" }, ...CONNECTION },
  async run(args) {
    const id = args["user-id"];
    const { api, out } = openSession(args);
    await api.removeMember(id);
    if (args.json) out.json({ user_id: id, removed: true });
    else out.line(`Removed ${id}`);
    return EXIT.ok;
  },
});

/** `muster members …` */
export default defineGroup("Manage members", { list, invite, remove });
