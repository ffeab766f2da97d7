import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { createRemoteAgentsApi } from "../../remote-agents-api.ts";
import { openSession } from "../../session.ts";
import { safeText } from "../../terminal/safe-text.ts";

export default defineCommand({
  summary: "Register a remote agent; the tool a2a_delegate offers it to agents",
  args: {
    address: { type: "positional", description: "Its base URL, or the URL of its card" },
    token: { type: "string", description: "Bearer token of requests to it" },
    ...CONNECTION,
  },
  async run(args) {
    const { client, out } = openSession(args);
    const agent = await createRemoteAgentsApi(client).add({ base_url: args.address, token: args.token });
    if (args.json) out.json(agent);
    else out.line(`Registered remote agent ${safeText(agent.name)} (${agent.id})`);
    return EXIT.ok;
  },
});
