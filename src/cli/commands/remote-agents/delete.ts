import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { createRemoteAgentsApi } from "../../remote-agents-api.ts";
import { openSession } from "../../session.ts";

export default defineCommand({
  summary: "Delete a remote agent",
  args: { id: { type: "positional", description: "Its id" }, ...CONNECTION },
  async run(args) {
    const { client, out } = openSession(args);
    await createRemoteAgentsApi(client).remove(args.id);
    if (args.json) out.json({ id: args.id, deleted: true });
    else out.line(`Deleted remote agent ${args.id}`);
    return EXIT.ok;
  },
});
