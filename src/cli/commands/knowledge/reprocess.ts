import { CONNECTION } from "../../arguments.ts";
import { awaitDocument } from "../../await-document.ts";
import { defineCommand } from "../../define-command.ts";
import { createKnowledgeApi } from "../../knowledge-api.ts";
import { openSession } from "../../session.ts";

export default defineCommand({
  summary: "Read a document once more from its original, and wait until that is done.",
  args: { document: { type: "positional", description: "Its id" }, ...CONNECTION },
  async run(args) {
    const { client, out } = openSession(args);
    const api = createKnowledgeApi(client);
    return awaitDocument({ api, out, json: args.json }, await api.reprocess(args.document));
  },
});
