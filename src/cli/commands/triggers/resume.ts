import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";
import { safeText } from "../../terminal/safe-text.ts";
import { createTriggersApi } from "../../triggers-api.ts";

export default defineCommand({
  summary: "Let a paused trigger go on.",
  args: { id: { type: "positional", description: "Its id" }, ...CONNECTION },
  async run(args) {
    const { client, out } = openSession(args);
    const trigger = await createTriggersApi(client).update(args.id, { is_active: true });
    if (args.json) out.json(trigger);
    else out.line(`Resumed trigger ${safeText(trigger.name)} (${trigger.id})`);
    return EXIT.ok;
  },
});
