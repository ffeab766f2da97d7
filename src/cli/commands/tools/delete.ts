import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { openSession } from "../../session.ts";
import { createToolsApi } from "../../tools-api.ts";

export default defineCommand({
  summary: "Delete a custom tool that no agent lists, with the log of its calls.",
  args: { tool: { type: "positional", description: "Its id or exact name" }, ...CONNECTION },
  async run(args) {
    const { client, out } = openSession(args);
    const tools = createToolsApi(client);
    const id = await tools.resolve(args.tool);
    await tools.delete(id);
    if (args.json) out.json({ id, deleted: true });
    else out.line(`Deleted tool ${id}`);
    return EXIT.ok;
  },
});
