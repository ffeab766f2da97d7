import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";
import { fieldLines } from "../../terminal/table.ts";
import { createTriggersApi } from "../../triggers-api.ts";

export default defineCommand({
  summary: "Show a trigger; its address is not shown again.",
  args: { id: { type: "positional", description: "Its id" }, ...CONNECTION },
  async run(args) {
    const { client, out } = openSession(args);
    const trigger = await createTriggersApi(client).get(args.id);
    if (args.json) {
      out.json(trigger);
      return EXIT.ok;
    }
    const lines = fieldLines({
      id: trigger.id,
      name: trigger.name,
      token: `${trigger.token_prefix}…`,
      signed: trigger.has_secret ? "yes" : "no",
      state: trigger.is_active ? "active" : "paused",
      agent: trigger.assigned_agent_id,
      team: trigger.assigned_team_id,
      title: trigger.title,
    });
    lines.forEach((line) => out.line(line));
    return EXIT.ok;
  },
});
