import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { createRemoteAgentsApi } from "../../remote-agents-api.ts";
import { openSession } from "../../session.ts";
import { safeText } from "../../terminal/safe-text.ts";

export default defineCommand({
  summary: "Fetch the card of a remote agent again",
  args: { id: { type: "positional", description: "Its id" }, ...CONNECTION },
  async run(args) {
    const { client, out } = openSession(args);
    const agent = await createRemoteAgentsApi(client).refresh(args.id);
    if (args.json) out.json(agent);
    else if (agent.card_error === null) out.line(`Fetched the card of ${safeText(agent.name)} (${agent.id})`);
    else out.line(`Kept the old card of ${safeText(agent.name)}: ${safeText(agent.card_error)}`);
    return agent.card_error === null ? EXIT.ok : EXIT.failed;
  },
});
