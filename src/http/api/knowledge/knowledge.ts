import { z } from "zod";
import { givenId } from "#domain/given-id.ts";
import {
  MAX_RESULTS,
  DEFAULT_RESULTS,
  DOCUMENT_STATUSES,
  documentPatch,
  documentRecord,
  searchResult,
  textDocument,
  uploadFields,
} from "#domain/knowledge/knowledge.ts";
import { tagList } from "#domain/tag-list.ts";
import { mediaTypeOf } from "#lib/extraction/format.ts";
import {
  addDocument,
  deleteDocument,
  getDocument,
  listDocumentTags,
  reprocessDocument,
  storeOriginal,
  updateDocument,
} from "#operations/knowledge/knowledge.ts";
import type { NewDocument } from "#operations/knowledge/knowledge.ts";
import { listPage } from "#operations/list-records.ts";
import { searchNamedKnowledge } from "#operations/knowledge/search-knowledge.ts";
import type { HttpWorkspace } from "../../context.ts";
import { listQuery, nameFilter } from "../shape/list-query.ts";
import { pageOf } from "../shape/page-query.ts";
import { respond, respondPage, respondValue } from "../shape/respond.ts";
import { addPath, idQuery } from "../shape/route.ts";
import type { Api } from "../shape/route.ts";
import { hashOfUpload } from "../files/read-upload.ts";
import { readDocument } from "./read-document.ts";
import { wholeNumber } from "../shape/whole-number.ts";
import { endpoint } from "../shape/endpoint.ts";
import type { Call } from "../shape/endpoint.ts";

const TAG = "Knowledge";
/** The path of documents: their list, and new ones as text. */
export const DOCUMENTS = "/console/api/knowledge/documents";
/** The path of documents uploaded as files. */
export const UPLOADS = "/console/api/knowledge/uploads";

const READ_ONLY = Object.keys(documentRecord.omit({ name: true, tags: true }).shape);
const record = documentRecord.meta({ id: "KnowledgeDocument" });
const pageQuery = listQuery.omit({ id: true }).extend({
  knowledge_base_id: givenId.optional().describe("Only documents of this knowledge base."),
  q: nameFilter,
  status: z.enum(DOCUMENT_STATUSES).optional(),
  tag: z.string().max(50).optional().describe("Only documents with this tag."),
});

const tagsQuery = pageQuery.pick({ knowledge_base_id: true });

const separated = (item: z.ZodType<string, string>) =>
  z
    .string()
    .default("")
    .transform((text) => text.split(",").filter((part) => part !== ""))
    .pipe(z.array(item).max(100));
const uploadForm = uploadFields.extend({ tags: z.string().optional(), file: z.string().meta({ format: "binary" }) });
const searchQuery = z.strictObject({
  q: z.string().trim().min(1).max(2_000).describe("A question, or keywords."),
  knowledge_base_ids: separated(givenId).describe("Only in these, separated by commas."),
  tags: separated(z.string().max(50)).describe("Only in documents with all of these, separated by commas."),
  limit: wholeNumber({ min: 1, max: MAX_RESULTS }).default(DEFAULT_RESULTS).describe("The maximum number of passages."),
});

/** Adds the documents of knowledge bases and the search in them. */
export default function addKnowledge(api: Api): void {
  addPath(api, DOCUMENTS, { tag: TAG, endpoints: [list, create] });
  addPath(api, UPLOADS, { tag: TAG, endpoints: [upload] });
  addPath(api, `${DOCUMENTS}/{id}`, { tag: TAG, endpoints: [read, change, remove] });
  addPath(api, `${DOCUMENTS}/{id}/reprocess`, { tag: TAG, endpoints: [reprocess] });
  addPath(api, "/console/api/knowledge/tags", { tag: TAG, endpoints: [tags] });
  addPath(api, "/console/api/knowledge/search", { tag: TAG, endpoints: [search] });
}

const list = endpoint({
  method: "get",
  operationId: "listDocuments",
  summary: "List documents, newest first",
  query: pageQuery,
  success: { status: 200, schema: z.array(record) },
  async handle({ c, workspace, query }) {
    const { limit, cursor, knowledge_base_id: knowledgeBaseId, ...filters } = query;
    const page = { of: "document", ...pageOf({ limit, cursor }), fields: { knowledgeBaseId, ...filters } } as const;
    return respondPage(c, await listPage(workspace, page));
  },
});

const create = endpoint({
  method: "post",
  operationId: "createDocument",
  starts: true,
  summary: "Add a text to a knowledge base; it is ingested in the background",
  body: textDocument,
  success: { status: 201, schema: record },
  prepare(call) {
    const { knowledge_base_id: knowledgeBaseId, text, ...fields } = call.body;
    const mediaType = mediaTypeOf(fields.format);
    return add(call, { ...fields, knowledgeBaseId, mediaType, content: Buffer.from(text) });
  },
});

const upload = endpoint({
  method: "post",
  operationId: "uploadDocument",
  starts: true,
  summary: "Add a file to a knowledge base (txt, md, html, csv, json, pdf, docx); it is ingested in the background",
  ownBody: { schema: uploadForm, contentType: "multipart/form-data" },
  success: { status: 201, schema: record },
  hash: hashOfUpload,
  prepare: async (call) => add(call, await readDocument(call.c)),
});

const read = endpoint({
  method: "get",
  operationId: "getDocument",
  summary: "Read a document with its status",
  params: idQuery,
  success: { status: 200, schema: record },
  handle: async ({ c, workspace, params }) => respond(c, await getDocument(workspace, params.id)),
});

const change = endpoint({
  method: "patch",
  operationId: "updateDocument",
  summary: "Change a document's name or tags",
  params: idQuery,
  body: documentPatch,
  readOnly: READ_ONLY,
  success: { status: 200, schema: record },
  handle: async ({ c, workspace, params, body }) =>
    respond(c, await updateDocument(workspace, { id: params.id, patch: body })),
});

const remove = endpoint({
  method: "delete",
  operationId: "deleteDocument",
  summary: "Delete a document with its original",
  params: idQuery,
  success: { status: 204 },
  handle: ({ workspace, params }) => deleteDocument(workspace, params.id),
});

const reprocess = endpoint({
  method: "post",
  operationId: "reprocessDocument",
  starts: true,
  summary: "Ingest a document again from its original",
  params: idQuery,
  success: { status: 200, schema: record },
  handle: async ({ c, workspace, params }) => respond(c, await reprocessDocument(workspace, params.id)),
});

const tags = endpoint({
  method: "get",
  operationId: "listDocumentTags",
  summary: "List the tags of documents",
  query: tagsQuery,
  success: { status: 200, schema: tagList },
  async handle({ c, workspace, query }) {
    const { knowledge_base_id: base } = query;
    return respondValue(c, await listDocumentTags(workspace, base));
  },
});

const search = endpoint({
  method: "get",
  operationId: "searchKnowledge",
  summary: "Search for the best passages, with their sources",
  query: searchQuery,
  success: { status: 200, schema: searchResult.meta({ id: "KnowledgeFinds" }) },
  async handle({ c, workspace, query }) {
    const { q: question, knowledge_base_ids: knowledgeBaseIds, tags, limit } = query;
    const asked = { question, knowledgeBaseIds, tags, limit, signal: c.req.raw.signal };
    return respondValue(c, await searchNamedKnowledge(workspace, asked));
  },
});

type Upload = Pick<Call<unknown, unknown, unknown, undefined>, "c" | "workspace">;

async function add({ c, workspace }: Upload, document: NewDocument) {
  const row = await storeOriginal(workspace, document);
  return async (joined: HttpWorkspace) => respond(c, await addDocument(joined, row), 201);
}
