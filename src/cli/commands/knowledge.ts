import { CONNECTION, parseCount } from "../arguments/arguments.ts";
import { formWithFile } from "../arguments/attach-files.ts";
import { awaitDocument } from "../await-document.ts";
import { defineCommand, defineGroup } from "../arguments/define-command.ts";
import { defineDeletion } from "../arguments/define-deletion.ts";
import { defineList } from "../arguments/define-list.ts";
import { defineRequest } from "../arguments/define-request.ts";
import { noneYet } from "../arguments/record-kinds.ts";
import { resolveId, resolveOptionalId } from "../arguments/resolve-record.ts";
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

const list = defineList({
  summary: "List documents, newest first",
  args: {
    base: { type: "string", valueHint: "name", description: "Only documents of this knowledge base" },
  },
  read: async (muster, { base, limit }) =>
    muster.listDocuments({ knowledge_base_id: await resolveOptionalId(muster, "base", base), limit }),
  none: ({ base }) => noneYet("document", base),
  row: ({ id, name, status, progress, passages, tags, error, warning }) => ({
    ID: id,
    NAME: name,
    STATUS: status === "processing" ? `${status} ${progress} %` : status,
    PASSAGES: passages,
    TAGS: tags.join(", "),
    NOTE: error ?? warning,
  }),
});

const search = defineRequest({
  summary: "Search for passages",
  args: {
    query: { type: "positional", description: "Question or keywords" },
    base: { type: "string", valueHint: "name", description: "Only in this knowledge base" },
    tags: { type: "string", valueHint: "a,b", description: "Only in documents that have all of these tags" },
    limit: { type: "string", default: "5", description: "Maximum number of passages, up to 20" },
  },
  send: async ({ muster }, { query, base, tags, limit }) =>
    muster.searchKnowledge({
      q: query,
      limit: parseCount("limit", limit),
      knowledge_base_ids: await resolveOptionalId(muster, "base", base),
      tags,
    }),
  print({ out }, { note, results }) {
    if (note !== null) out.note(safeText(note));
    if (results.length === 0) out.note("Nothing was found.");
    for (const { document, page, heading, score, content } of results) {
      const place = [document.name, page === null ? [] : `page ${page}`, heading ?? []].flat().join(", ");
      out.line(safeText(`${place} (${score.toFixed(2)})`));
      out.line(`${safeText(content)}\n`);
    }
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

const bases = defineList({
  summary: "List knowledge bases, newest first",
  args: {},
  read: (muster, { limit }) => muster.listKnowledgeBases({ limit }),
  none: () => noneYet("base"),
  row: ({ id, name, documents }) => ({ ID: id, NAME: name, DOCUMENTS: documents }),
});

const create = defineRequest({
  summary: "Create a knowledge base",
  args: {
    name: { type: "string", required: true, description: "Its name" },
    description: { type: "string", description: "Description" },
    "embedding-model": {
      type: "string",
      valueHint: "provider/model",
      description: "Embedding model or none (default: the service's setting)",
    },
  },
  send: async ({ muster }, { name, description, "embedding-model": embedding_model }) =>
    muster.createKnowledgeBase({ name, description, embedding_model }),
  print: ({ out }, { name, id }) => out.line(`Created knowledge base ${safeText(name)} (${id})`),
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
