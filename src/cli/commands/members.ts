import { CONNECTION } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { ROLES } from "#domain/access/role.ts";
import { listUpTo } from "../service/list-up-to.ts";
import { openSession } from "../service/session.ts";
import { formatTime } from "../terminal/format.ts";
import { safeText } from "../terminal/safe-text.ts";

const list = defineCommand({
  summary: "List members and their roles",
  args: CONNECTION,
  async run(args) {
    const { muster, out } = openSession(args);
    const { items: members } = await listUpTo(Infinity, (limit) => muster.listMembers({ limit }));
    if (args.json) out.json(members);
    else {
      const rows = members.map(({ user_id, email, name, role, created_at }) => [
        user_id,
        email,
        name,
        role,
        formatTime(created_at),
      ]);
      out.table(["USER ID", "EMAIL", "NAME", "ROLE", "SINCE"], rows);
    }
    return EXIT.ok;
  },
});

const invite = defineCommand({
  summary: "Invite a person and print the one-time link once",
  args: {
    email: { type: "positional", description: "E-mail address" },
    role: { type: "enum", options: [...ROLES], default: "member", description: "Role in the workspace" },
    ...CONNECTION,
  },
  async run(args) {
    const { email, role } = args;
    const { muster, out } = openSession(args);
    const invitation = await muster.createInvitation({ email, role });
    if (args.json) out.json(invitation);
    else {
      out.line(safeText(invitation.link));
      out.note(`Send the link to ${email}; it expires ${formatTime(invitation.expires_at)}.`, "dim");
    }
    return EXIT.ok;
  },
});

const remove = defineDeletion({
  kind: "member",
  effect: "Their keys stop working immediately.",
  verb: "Remove",
  remove: (muster, id) => muster.removeMember({ userId: id }),
});

/** `muster members …` */
export default defineGroup("Manage members", { list, invite, remove });
