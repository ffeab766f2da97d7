import { z } from "zod";
import { finds } from "#domain/knowledge/knowledge.ts";
import type { Finds } from "#domain/knowledge/knowledge.ts";
import type { HttpClient } from "./http-client.ts";
import { listRecords } from "./list-records.ts";
import type { Listed } from "./list-records.ts";

const baseAnswer = z.looseObject({ id: z.string(), name: z.string(), documents: z.number() });
const documentAnswer = z.looseObject({
  id: z.string(),
  knowledge_base_id: z.string(),
  name: z.string(),
  tags: z.array(z.string()),
  status: z.string(),
  error: z.string().nullable(),
  warning: z.string().nullable(),
  progress: z.number(),
  passages: z.number(),
  created_at: z.string(),
});

/** A knowledge base as the commands see it. */
export type KnowledgeBase = z.output<typeof baseAnswer>;
/** A document as the commands see it. */
export type KnowledgeDocument = z.output<typeof documentAnswer>;

const ROOT = "/console/api/knowledge";

/** The operations on knowledge that the commands use. */
export interface KnowledgeApi {
  listBases(limit: number): Promise<Listed<KnowledgeBase>>;
  createBase(base: object): Promise<KnowledgeBase>;
  list(options: { readonly limit: number; readonly baseId: string | undefined }): Promise<Listed<KnowledgeDocument>>;
  get(id: string): Promise<KnowledgeDocument>;
  upload(form: FormData): Promise<KnowledgeDocument>;
  reprocess(id: string): Promise<KnowledgeDocument>;
  remove(id: string): Promise<void>;
  search(query: Readonly<Record<string, string>>): Promise<Finds>;
}

/** The operations over a client. */
export function createKnowledgeApi(client: HttpClient): KnowledgeApi {
  const documents = `${ROOT}/documents`;
  const byId = (id: string) => `${documents}/${encodeURIComponent(id)}`;
  return {
    listBases: (limit) => listRecords(client, { path: `${ROOT}/bases`, record: baseAnswer, limit }),
    createBase: (body) => client.request(baseAnswer, { method: "POST", path: `${ROOT}/bases`, body }),
    list: ({ limit, baseId }) =>
      listRecords(client, {
        path: documents,
        record: documentAnswer,
        limit,
        ...(baseId !== undefined && { filter: { knowledge_base_id: baseId } }),
      }),
    get: (id) => client.request(documentAnswer, { method: "GET", path: byId(id) }),
    upload: (body) => client.request(documentAnswer, { method: "POST", path: `${ROOT}/uploads`, body }),
    reprocess: (id) => client.request(documentAnswer, { method: "POST", path: `${byId(id)}/reprocess` }),
    remove: (id) => client.request(z.undefined(), { method: "DELETE", path: byId(id) }),
    search: (query) =>
      client.request(finds, { method: "GET", path: `${ROOT}/search?${new URLSearchParams(query).toString()}` }),
  };
}
