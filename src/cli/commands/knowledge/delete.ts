import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { createKnowledgeApi } from "../../knowledge-api.ts";
import { openSession } from "../../session.ts";

export default defineCommand({
  summary: "Delete a document with its original.",
  args: { document: { type: "positional", description: "Its id" }, ...CONNECTION },
  async run(args) {
    const { document: id } = args;
    const { client, out } = openSession(args);
    await createKnowledgeApi(client).remove(id);
    if (args.json) out.json({ id, deleted: true });
    else out.line(`Deleted document ${id}`);
    return EXIT.ok;
  },
});
