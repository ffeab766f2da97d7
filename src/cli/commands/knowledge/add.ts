import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { CONNECTION } from "../../arguments.ts";
import { awaitDocument } from "../../await-document.ts";
import { defineCommand } from "../../define-command.ts";
import { UsageError } from "../../errors/cli-error.ts";
import { createKnowledgeApi } from "../../knowledge-api.ts";
import { baseToAddTo } from "../../resolve-knowledge-base.ts";
import { openSession } from "../../session.ts";

export default defineCommand({
  summary: "Add a file (txt, md, html, csv, json, pdf, docx) to a knowledge base, and wait until it is read.",
  args: {
    file: { type: "positional", description: "Its path" },
    base: { type: "string", valueHint: "name", description: "The knowledge base; may be left out when there is one" },
    name: { type: "string", description: "What it is called as a source; else the file's name" },
    tags: { type: "string", valueHint: "a,b", description: "Tags, separated by commas" },
    ...CONNECTION,
  },
  async run(args) {
    const { client, out } = openSession(args);
    const api = createKnowledgeApi(client);
    const content = await readFile(args.file).catch((cause: unknown) => {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new UsageError(`Cannot read the file: ${reason}`, { cause });
    });
    const form = new FormData();
    form.set("knowledge_base_id", await baseToAddTo(api, args.base));
    if (args.name !== undefined) form.set("name", args.name);
    if (args.tags !== undefined) form.set("tags", args.tags);
    form.set("file", new File([content], basename(args.file)));
    return awaitDocument({ api, out, json: args.json }, await api.upload(form));
  },
});
