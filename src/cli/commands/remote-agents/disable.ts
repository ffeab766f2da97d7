import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { createRemoteAgentsApi } from "../../remote-agents-api.ts";
import { openSession } from "../../session.ts";
import { safeText } from "../../terminal/safe-text.ts";

export default defineCommand({
  summary: "Stop delegating to a remote agent",
  args: { id: { type: "positional", description: "Its id" }, ...CONNECTION },
  async run(args) {
    const { client, out } = openSession(args);
    const agent = await createRemoteAgentsApi(client).update(args.id, { is_enabled: false });
    if (args.json) out.json(agent);
    else out.line(`Disabled remote agent ${safeText(agent.name)} (${agent.id})`);
    return EXIT.ok;
  },
});
