import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { parseJsonObject } from "../../read-json.ts";
import { openSession } from "../../session.ts";
import { safeText } from "../../terminal/safe-text.ts";
import { createToolsApi } from "../../tools-api.ts";

export default defineCommand({
  summary: "Call a custom tool once, for real, and show what a model would read.",
  args: {
    tool: { type: "positional", description: "Its id or exact name" },
    arguments: { type: "string", valueHint: "json", default: "{}", description: "The arguments as a JSON object" },
    ...CONNECTION,
  },
  async run(args) {
    const given = parseJsonObject(args.arguments, "the value of --arguments", "it");
    const { client, out } = openSession(args);
    const tools = createToolsApi(client);
    const result = await tools.test(await tools.resolve(args.tool), given);
    if (args.json) out.json(result);
    else {
      out.line(safeText(result.output ?? result.error ?? ""));
      const answered = result.http_status === null ? "no answer" : `HTTP ${result.http_status}`;
      out.note(`${result.status}: ${answered} in ${result.duration_ms} ms`, "dim");
    }
    return result.status === "success" ? EXIT.ok : EXIT.failed;
  },
});
