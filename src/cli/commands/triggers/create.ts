import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";
import { TEMPLATE, templateFields } from "../../task-template.ts";
import { safeText } from "../../terminal/safe-text.ts";
import { createTriggersApi } from "../../triggers-api.ts";

export default defineCommand({
  summary: "Make a trigger, whose address turns requests into tasks; it is printed this once.",
  args: {
    name: { type: "string", required: true, description: "Its name" },
    secret: { type: "string", description: "With it, deliveries must be signed" },
    ...TEMPLATE,
    ...CONNECTION,
  },
  async run(args) {
    const { api, client, out } = openSession(args);
    const template = await templateFields(api, args);
    const made = await createTriggersApi(client).create({ name: args.name, secret: args.secret, ...template });
    if (args.json) out.json(made);
    else {
      out.line(made.url);
      out.note(`Created trigger ${safeText(made.name)} (${made.id}). Its address is not shown again.`, "dim");
    }
    return EXIT.ok;
  },
});
