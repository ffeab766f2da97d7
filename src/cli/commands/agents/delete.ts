import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { resolveAgent } from "../../resolve-agent.ts";
import { openSession } from "../../session.ts";

export default defineCommand({
  summary: "Delete an agent; its tasks that have not ended are cancelled.",
  args: { agent: { type: "positional", description: "Its id or exact name" }, ...CONNECTION },
  async run(args) {
    const { api, out } = openSession(args);
    const id = await resolveAgent(api, args.agent);
    await api.deleteAgent(id);
    if (args.json) out.json({ id, deleted: true });
    else out.line(`Deleted agent ${id}`);
    return EXIT.ok;
  },
});
