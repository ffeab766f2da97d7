import { CONNECTION, LIMIT, parseCount } from "../arguments/arguments.ts";
import { formWithFile } from "../arguments/attach-files.ts";
import { awaitDocument } from "../await-document.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { EXIT } from "../errors/exit-codes.ts";
import { noneYet } from "../arguments/record-kinds.ts";
import { resolveId } from "../arguments/resolve-record.ts";
import { listUpTo } from "../service/list-up-to.ts";
import { openSession } from "../service/session.ts";
import { safeText } from "../terminal/safe-text.ts";
import type { MusterClient } from "#client/index.ts";
import { UsageError } from "../errors/cli-error.ts";

/** The default name of the first knowledge base. */
const FIRST = "Knowledge";

const add = defineCommand({
  summary: "Add a document (txt, md, html, csv, json, pdf, docx) and wait until it is indexed",
  args: {
    file: { type: "positional", description: "Its path" },
    base: { type: "string", valueHint: "name", description: "Knowledge base; optional when there is only one" },
    name: { type: "string", description: "Name of the document (default: the file's name)" },
    tags: { type: "string", valueHint: "a,b", description: "Tags, separated by commas" },
    ...CONNECTION,
  },
  async run(args) {
    const { muster, out } = openSession(args);
    const form = await formWithFile(args.file);
    form.set("knowledge_base_id", await baseToAddTo(muster, args.base));
    if (args.name !== undefined) form.set("name", args.name);
    if (args.tags !== undefined) form.set("tags", args.tags);
    return awaitDocument({ muster, out, json: args.json }, await muster.uploadDocument(form));
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
    const { muster, out } = openSession(args);
    const baseId = args.base === undefined ? undefined : await resolveId(muster, "base", args.base);
    const { items, hasMore } = await listUpTo(limit, (size) =>
      muster.listDocuments({ ...(baseId !== undefined && { knowledge_base_id: baseId }), limit: size }),
    );
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
    query: { type: "positional", description: "Question or keywords" },
    base: { type: "string", valueHint: "name", description: "Only in this knowledge base" },
    tags: { type: "string", valueHint: "a,b", description: "Only in documents that have all of these tags" },
    limit: { type: "string", default: "5", description: "Maximum number of passages, up to 20" },
    ...CONNECTION,
  },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { muster, out } = openSession(args);
    const found = await muster.searchKnowledge({
      q: args.query,
      limit,
      ...(args.base !== undefined && { knowledge_base_ids: await resolveId(muster, "base", args.base) }),
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
    const { muster, out } = openSession(args);
    return awaitDocument(
      { muster, out, json: args.json },
      await muster.reprocessDocument({ id: await resolveId(muster, "document", args.document) }),
    );
  },
});

const remove = defineDeletion({
  kind: "document",
  effect: "Agents no longer find its text.",
  remove: (muster, id) => muster.deleteDocument({ id }),
});

const bases = defineCommand({
  summary: "List knowledge bases, newest first",
  args: { ...LIMIT, ...CONNECTION },
  async run(args) {
    const limit = parseCount("limit", args.limit);
    const { muster, out } = openSession(args);
    const { items, hasMore } = await listUpTo(limit, (size) => muster.listKnowledgeBases({ limit: size }));
    if (args.json) out.json(items);
    else if (items.length === 0) out.note(noneYet("base"));
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
    const { muster, out } = openSession(args);
    const { name, description, "embedding-model": embedding_model } = args;
    const base = await muster.createKnowledgeBase({ name, description, embedding_model });
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

/**
 * Returns the id of the base to add to: the named one, else the only one, which is created if there is none.
 * @throws UsageError when there are several and none was named.
 */
async function baseToAddTo(muster: MusterClient, idOrName: string | undefined): Promise<string> {
  if (idOrName !== undefined) return resolveId(muster, "base", idOrName);
  const [base, ...others] = (await muster.listKnowledgeBases({ limit: 2 })).items;
  if (base === undefined) return (await muster.createKnowledgeBase({ name: FIRST })).id;
  if (others.length > 0) throw new UsageError("There are several knowledge bases. Name one with --base.");
  return base.id;
}
