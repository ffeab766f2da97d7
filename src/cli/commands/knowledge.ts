import { CONNECTION, LIMIT, parseCount } from "../arguments/arguments.ts";
import { awaitDocument } from "../await-document.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { UsageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { createKnowledgeApi } from "../service/knowledge-api.ts";
import { baseToAddTo, resolveKnowledgeBase } from "../arguments/resolve-knowledge-base.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { openSession } from "../service/session.ts";
import { safeText } from "../terminal/safe-text.ts";
import { readFile } from "node:fs/promises";
import { basename } from "node:path";

const add = defineCommand({
  summary: "Add a document (txt, md, html, csv, json, pdf, docx) and wait until it is indexed",
  args: {
    file: { type: "positional", description: "Its path" },
    base: { type: "string", valueHint: "name", description: "Knowledge base; optional when there is only one" },
    name: { type: "string", description: "Name as a source (default: the file's name)" },
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

const list = defineCommand({
  summary: "List documents, newest first",
  args: {
    base: { type: "string", valueHint: "name", description: "Only documents of this knowledge base" },
    ...LIMIT,
    ...CONNECTION,
  },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { client, out } = openSession(args);
    const api = createKnowledgeApi(client);
    const baseId = args.base === undefined ? undefined : await resolveKnowledgeBase(api, args.base);
    const { items, hasMore } = await api.list({ limit, baseId });
    if (args.json) out.json(items);
    else if (items.length === 0) out.note("No documents yet. Add one: muster knowledge add handbook.pdf");
    else {
      const rows = items.map(({ id, name, status, progress, passages, tags, error, warning }) => [
        id,
        name,
        status === "processing" ? `${status} ${progress} %` : status,
        String(passages),
        tags.join(", "),
        error ?? warning ?? "",
      ]);
      out.table(["ID", "NAME", "STATUS", "PASSAGES", "TAGS", "NOTE"], rows);
    }
    if (hasMore) out.note(`Showing ${limit}; use --limit for more.`, "dim");
    return EXIT.ok;
  },
});

const search = defineCommand({
  summary: "Search for passages",
  args: {
    question: { type: "positional", description: "Question or keywords" },
    base: { type: "string", valueHint: "name", description: "Only in this knowledge base" },
    tags: { type: "string", valueHint: "a,b", description: "Only in documents that have all of these tags" },
    limit: { type: "string", default: "5", description: "How many passages, at most 20" },
    ...CONNECTION,
  },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { client, out } = openSession(args);
    const api = createKnowledgeApi(client);
    const found = await api.search({
      q: args.question,
      limit: String(limit),
      ...(args.base !== undefined && { knowledge_base_ids: await resolveKnowledgeBase(api, args.base) }),
      ...(args.tags !== undefined && { tags: args.tags }),
    });
    if (args.json) {
      out.json(found);
      return EXIT.ok;
    }
    if (found.note !== null) out.note(safeText(found.note));
    if (found.results.length === 0) out.note("Nothing was found.");
    else {
      for (const { document, page, heading, score, content } of found.results) {
        const place = [document.name, page === null ? [] : `page ${page}`, heading ?? []].flat().join(", ");
        out.line(safeText(`${place} (${score.toFixed(2)})`));
        out.line(`${safeText(content)}\n`);
      }
    }
    return EXIT.ok;
  },
});

const reprocess = defineCommand({
  summary: "Index a document again from its original and wait",
  args: { document: { type: "positional", description: "Id or name" }, ...CONNECTION },
  async run(args) {
    const { client, out } = openSession(args);
    const api = createKnowledgeApi(client);
    return awaitDocument(
      { api, out, json: args.json },
      await api.reprocess(await resolveId(client, "document", args.document)),
    );
  },
});

const remove = defineDeletion({
  kind: "document",
  effect: "Agents no longer find its text.",
  remove: (client, id) => createKnowledgeApi(client).remove(id),
});

const bases = defineCommand({
  summary: "List knowledge bases, newest first",
  args: { ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { client, out } = openSession(args);
    const { items, hasMore } = await createKnowledgeApi(client).listBases(limit);
    if (args.json) out.json(items);
    else if (items.length === 0) out.note("No knowledge base yet. Make one: muster knowledge create Handbook");
    else {
      const rows = items.map(({ id, name, documents }) => [id, name, String(documents)]);
      out.table(["ID", "NAME", "DOCUMENTS"], rows);
    }
    if (hasMore) out.note(`Showing ${limit}; use --limit for more.`, "dim");
    return EXIT.ok;
  },
});

const create = defineCommand({
  summary: "Create a knowledge base",
  args: {
    name: { type: "positional", description: "Its name" },
    description: { type: "string", description: "Description" },
    "embedding-model": {
      type: "string",
      valueHint: "provider/model",
      description: "Embedding model or none (default: the service's setting)",
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

/** `muster knowledge …` */
export default defineGroup("Manage knowledge bases", {
  add,
  list,
  search,
  reprocess,
  delete: remove,
  bases,
  create,
});
