import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";
import { safeText } from "../../terminal/safe-text.ts";
import { createTriggersApi } from "../../triggers-api.ts";

export default defineCommand({
  summary: "Give a trigger another address; the old one opens nothing from then on.",
  args: { id: { type: "positional", description: "Its id" }, ...CONNECTION },
  async run(args) {
    const { client, out } = openSession(args);
    const shown = await createTriggersApi(client).rotate(args.id);
    if (args.json) out.json(shown);
    else {
      out.line(shown.url);
      out.note(`This is the address of trigger ${safeText(shown.name)} now. It is not shown again.`, "dim");
    }
    return EXIT.ok;
  },
});
