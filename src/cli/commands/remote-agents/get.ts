import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { createRemoteAgentsApi } from "../../remote-agents-api.ts";
import { openSession } from "../../session.ts";
import { fieldLines } from "../../terminal/table.ts";

export default defineCommand({
  summary: "Show a remote agent and its skills",
  args: { id: { type: "positional", description: "Its id" }, ...CONNECTION },
  async run(args) {
    const { client, out } = openSession(args);
    const agent = await createRemoteAgentsApi(client).get(args.id);
    if (args.json) {
      out.json(agent);
      return EXIT.ok;
    }
    const lines = fieldLines({
      id: agent.id,
      name: agent.name,
      description: agent.description,
      url: agent.base_url,
      A2A: agent.protocol_version,
      skills: agent.skills.map(({ name }) => name).join(", "),
      state: agent.is_enabled ? "enabled" : "disabled",
      token: agent.has_token ? "set" : "none",
      "card fetched": agent.card_fetched_at,
      "card error": agent.card_error,
    });
    lines.forEach((line) => out.line(line));
    return EXIT.ok;
  },
});
