import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";
import { safeText } from "../../terminal/safe-text.ts";
import { createTriggersApi } from "../../triggers-api.ts";

export default defineCommand({
  summary: "Pause a trigger.",
  args: { id: { type: "positional", description: "Its id" }, ...CONNECTION },
  async run(args) {
    const { client, out } = openSession(args);
    const trigger = await createTriggersApi(client).update(args.id, { is_active: false });
    if (args.json) out.json(trigger);
    else out.line(`Paused trigger ${safeText(trigger.name)} (${trigger.id})`);
    return EXIT.ok;
  },
});
