import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";

export default defineCommand({
  summary: "Revoke a key, at once.",
  args: { id: { type: "positional", description: "Its id" }, ...CONNECTION },
  async run(args) {
    const { id } = args;
    const { api, out } = openSession(args);
    await api.revokeKey(id);
    if (args.json) out.json({ id, revoked: true });
    else out.line(`Revoked key ${id}`);
    return EXIT.ok;
  },
});
