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
import type { HttpContext, HttpServices } from "../../context.ts";
import { listQuery, nameFilter } from "../shape/list-query.ts";
import { pageOf } from "../shape/page-query.ts";
import { respond, respondPage, respondValue } from "../shape/respond.ts";
import { addPath, idQuery, readId } from "../shape/route.ts";
import type { Endpoint } from "../shape/endpoint.ts";
import type { Api } from "../shape/route.ts";
import { hashOfUpload } from "../files/read-upload.ts";
import { readBody, readQuery } from "../../middleware/read-body.ts";
import { readDocument } from "./read-document.ts";
import { wholeNumber } from "../shape/whole-number.ts";

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

const list = (item: z.ZodType<string, string>) =>
  z
    .string()
    .default("")
    .transform((text) => text.split(",").filter((part) => part !== ""))
    .pipe(z.array(item).max(100));
const searchQuery = z.strictObject({
  q: z.string().trim().min(1).max(2_000).describe("A question, or keywords."),
  knowledge_base_ids: list(givenId).describe("Only in these, separated by commas."),
  tags: list(z.string().max(50)).describe("Only in documents with all of these, separated by commas."),
  limit: wholeNumber({ min: 1, max: MAX_RESULTS }).default(DEFAULT_RESULTS).describe("The maximum number of passages."),
});

/** Adds the documents of knowledge bases and the search in them. */
export default function addKnowledge(api: Api): void {
  addPath(api, DOCUMENTS, { tag: TAG, endpoints: collection() });
  addPath(api, UPLOADS, { tag: TAG, endpoints: [upload()] });
  addPath(api, `${DOCUMENTS}/{id}`, { tag: TAG, endpoints: single() });
  addPath(api, `${DOCUMENTS}/{id}/reprocess`, { tag: TAG, endpoints: [reprocess()] });
  addPath(api, "/console/api/knowledge/tags", { tag: TAG, endpoints: [tags()] });
  addPath(api, "/console/api/knowledge/search", { tag: TAG, endpoints: [search()] });
}

function collection(): Endpoint[] {
  return [
    {
      method: "get",
      operationId: "listDocuments",
      summary: "List documents, newest first",
      query: pageQuery,
      success: { status: 200, schema: z.array(record) },
      async handle(c, services) {
        const { limit, cursor, knowledge_base_id: knowledgeBaseId, ...filters } = readQuery(c, pageQuery);
        const page = { of: "document", ...pageOf({ limit, cursor }), fields: { knowledgeBaseId, ...filters } } as const;
        return respondPage(c, await listPage(services, c.get("principal"), page));
      },
    },
    {
      method: "post",
      operationId: "createDocument",
      summary: "Add a text to a knowledge base; it is ingested in the background",
      body: textDocument,
      success: { status: 201, schema: record },
      async prepare(c, services) {
        const { knowledge_base_id: knowledgeBaseId, text, ...fields } = await readBody(c, textDocument);
        const document = {
          ...fields,
          knowledgeBaseId,
          mediaType: mediaTypeOf(fields.format),
          content: Buffer.from(text),
        };
        return add(c, services, document);
      },
    },
  ];
}

function upload(): Endpoint {
  return {
    method: "post",
    operationId: "uploadDocument",
    summary: "Add a file to a knowledge base (txt, md, html, csv, json, pdf, docx); it is ingested in the background",
    body: uploadFields.extend({ tags: z.string().optional(), file: z.string().meta({ format: "binary" }) }),
    bodyType: "multipart/form-data",
    success: { status: 201, schema: record },
    hash: hashOfUpload,
    prepare: async (c, services) => add(c, services, await readDocument(c)),
  };
}

async function add(c: HttpContext, services: HttpServices, document: NewDocument) {
  const who = c.get("principal");
  const row = await storeOriginal(services, who, document);
  return async (joined: HttpServices) => respond(c, await addDocument(joined, who, row), 201);
}

function single(): Endpoint[] {
  return [
    {
      method: "get",
      operationId: "getDocument",
      summary: "Read a document with its status",
      params: idQuery,
      success: { status: 200, schema: record },
      handle: async (c, services) => respond(c, await getDocument(services, c.get("principal"), readId(c))),
    },
    {
      method: "patch",
      operationId: "updateDocument",
      summary: "Change a document's name or tags",
      params: idQuery,
      body: documentPatch,
      success: { status: 200, schema: record },
      async handle(c, services) {
        const patch = await readBody(c, documentPatch, READ_ONLY);
        return respond(c, await updateDocument(services, c.get("principal"), { id: readId(c), patch }));
      },
    },
    {
      method: "delete",
      operationId: "deleteDocument",
      summary: "Delete a document with its original",
      params: idQuery,
      success: { status: 204 },
      async handle(c, services) {
        await deleteDocument(services, c.get("principal"), readId(c));
        return c.body(null, 204);
      },
    },
  ];
}

function reprocess(): Endpoint {
  return {
    method: "post",
    operationId: "reprocessDocument",
    summary: "Ingest a document again from its original",
    params: idQuery,
    success: { status: 200, schema: record },
    handle: async (c, services) => respond(c, await reprocessDocument(services, c.get("principal"), readId(c))),
  };
}

function tags(): Endpoint {
  return {
    method: "get",
    operationId: "listDocumentTags",
    summary: "List the tags of documents",
    query: tagsQuery,
    success: { status: 200, schema: tagList },
    async handle(c, services) {
      const { knowledge_base_id: base } = readQuery(c, tagsQuery);
      return respondValue(c, await listDocumentTags(services, c.get("principal"), base));
    },
  };
}

function search(): Endpoint {
  return {
    method: "get",
    operationId: "searchKnowledge",
    summary: "Search for the best passages, with their sources",
    query: searchQuery,
    success: { status: 200, schema: searchResult.meta({ id: "KnowledgeFinds" }) },
    async handle(c, services) {
      const { q: question, knowledge_base_ids: knowledgeBaseIds, tags, limit } = readQuery(c, searchQuery);
      const asked = { question, knowledgeBaseIds, tags, limit, signal: c.req.raw.signal };
      return respondValue(c, await searchNamedKnowledge(services, c.get("principal"), asked));
    },
  };
}
