import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { resolveAgent } from "../../resolve-agent.ts";
import { openSession } from "../../session.ts";
import { formatTime } from "../../terminal/format.ts";
import { fieldLines } from "../../terminal/table.ts";

export default defineCommand({
  summary: "Show an agent.",
  args: { agent: { type: "positional", description: "Its id or exact name" }, ...CONNECTION },
  async run(args) {
    const { api, out } = openSession(args);
    const agent = await api.getAgent(await resolveAgent(api, args.agent));
    if (args.json) {
      out.json(agent);
      return EXIT.ok;
    }
    const lines = fieldLines({
      id: agent.id,
      name: agent.name,
      description: agent.description,
      model: agent.model,
      provider: agent.provider,
      tools: agent.tools.join(", "),
      status: agent.status,
      created: formatTime(agent.created_at),
      prompt: agent.system_prompt,
    });
    lines.forEach((line) => out.line(line));
    return EXIT.ok;
  },
});
