import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { readJsonObject } from "../../read-json.ts";
import { openSession } from "../../session.ts";
import { safeText } from "../../terminal/safe-text.ts";
import { createToolsApi } from "../../tools-api.ts";

export default defineCommand({
  summary: "Make a custom tool from a JSON file; headers may hold secrets, which is why they are no option.",
  args: {
    file: { type: "positional", description: "The tool as JSON; - reads it from standard input" },
    ...CONNECTION,
  },
  async run(args) {
    const { client, out } = openSession(args);
    const tool = await createToolsApi(client).create(await readJsonObject(args.file, "the tool", out));
    if (args.json) out.json(tool);
    else {
      out.line(`Created tool ${safeText(tool.name)} (custom:${tool.id})`);
      out.note(`Try it: muster tools test ${safeText(tool.name)} --arguments '{"…":"…"}'`, "dim");
      out.note(`Give it to an agent: muster agents create --name … --model … --tools custom:${tool.id}`, "dim");
    }
    return EXIT.ok;
  },
});
