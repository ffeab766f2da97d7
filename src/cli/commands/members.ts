import { CONNECTION } from "../arguments/arguments.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { createApi } from "../service/api.ts";
import { openSession } from "../service/session.ts";
import { formatTime } from "../terminal/format.ts";
import { safeText } from "../terminal/safe-text.ts";

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
      out.table(["USER ID", "EMAIL", "NAME", "ROLE", "SINCE"], rows);
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

const remove = defineDeletion({
  kind: "member",
  effect: "Their keys stop working immediately.",
  verb: "Remove",
  remove: (client, id) => createApi(client).removeMember(id),
});

/** `muster members …` */
export default defineGroup("Manage members", { list, invite, remove });
