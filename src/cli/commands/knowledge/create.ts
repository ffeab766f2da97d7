import { CONNECTION } from "../../arguments.ts";
import { defineCommand } from "../../define-command.ts";
import { EXIT } from "../../errors/exit-codes.ts";
import { createKnowledgeApi } from "../../knowledge-api.ts";
import { openSession } from "../../session.ts";
import { safeText } from "../../terminal/safe-text.ts";

export default defineCommand({
  summary: "Make a knowledge base.",
  args: {
    name: { type: "positional", description: "Its name" },
    description: { type: "string", description: "What it is about" },
    "embedding-model": {
      type: "string",
      valueHint: "provider/model",
      description: "What its documents are embedded with, or none; else what the service is set to",
    },
    ...CONNECTION,
  },
  async run(args) {
    const { client, out } = openSession(args);
    const { name, description, "embedding-model": embedding_model } = args;
    const base = await createKnowledgeApi(client).createBase({ name, description, embedding_model });
    if (args.json) out.json(base);
    else out.line(`Created knowledge base ${safeText(base.name)} (${base.id})`);
    return EXIT.ok;
  },
});
