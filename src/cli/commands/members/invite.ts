import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";
import { formatTime } from "../../terminal/format.ts";
import { safeText } from "../../terminal/safe-text.ts";

export default defineCommand({
  summary: "Invite a person by a link for one use, printed this once.",
  args: {
    email: { type: "positional", description: "The person's address" },
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
      out.note(`Pass the link on to ${email}; it is good until ${formatTime(invitation.expires_at)}.`, "dim");
    }
    return EXIT.ok;
  },
});
