import { useQuery, useQueryClient } from "@tanstack/react-query";
import {
  deleteDocument,
  getDocument,
  listDocumentTags,
  listDocuments,
  listKnowledgeBases,
  reprocessDocument,
  updateDocument,
} from "#client/gen/operations/knowledge.ts";
import { call } from "../../api/client.ts";
import type { components } from "#client/gen/schema.ts";
import { readAll, usePages } from "../../api/use-pages.ts";
import { given } from "../../lib/given.ts";
import { stringifySearch } from "../../lib/search.ts";
import { useModels } from "../models/queries.ts";
import type { KnowledgeSearch } from "./search.ts";

/** What documents are in. */
export type KnowledgeBase = components["schemas"]["KnowledgeBase"];
/** A document and its state. */
export type KnowledgeDocument = components["schemas"]["KnowledgeDocument"];

const READING_MS = 1_500;
const NO_TAGS: readonly string[] = [];
/** The providers whose keys let documents be found by meaning. */
const EMBEDDING_PROVIDERS = new Set(["openai", "google"]);

/** All knowledge bases of the workspace, newest first. */
export function useBases() {
  return useQuery({ queryKey: ["knowledge-bases"], queryFn: () => readAll(listKnowledgeBases, {}) });
}

/** The URL of the list of documents with these filters. */
export function documentsPath(search: KnowledgeSearch): string {
  return `/console/api/knowledge/documents${stringifySearch(documentsQuery(search))}`;
}

function documentsQuery({ base, q, status, tag }: KnowledgeSearch) {
  return given({ knowledge_base_id: base, q, status, tag });
}

/** Documents, newest first; polled while one of them is being read. */
export function useDocuments(search: KnowledgeSearch) {
  return usePages(["documents"], [listDocuments, documentsQuery(search)], {
    everyMs: READING_MS,
    isChanging: (documents) => documents.some(isReading),
  });
}

/** The tags of documents, in one base or in all; empty until they are loaded. */
export function useDocumentTags(base: string | undefined): readonly string[] {
  const { data } = useQuery({
    queryKey: ["documents", "tags", base],
    queryFn: () => call(listDocumentTags)(given({ knowledge_base_id: base })),
  });
  return data ?? NO_TAGS;
}

/** One document. */
export function useDocument(id: string) {
  return useQuery({
    queryKey: ["documents", "one", id],
    queryFn: () => call(getDocument)({ id }),
    refetchInterval: ({ state: { data } }) => data !== undefined && isReading(data) && READING_MS,
  });
}

/** Whether documents can be found by their meaning; undefined until that is known. */
export function useHasSemanticSearch(): boolean | undefined {
  const { data } = useModels();
  return data?.providers.some(({ id, usable }) => usable && EMBEDDING_PROVIDERS.has(id));
}

/** Whether a document is still being processed. */
export function isReading({ status }: KnowledgeDocument): boolean {
  return status === "pending" || status === "processing";
}

/** Changes to documents; the lists are read again afterwards. */
export function useDocumentActions() {
  const client = useQueryClient();
  const refresh = () =>
    Promise.all(["documents", "knowledge-bases"].map((key) => client.invalidateQueries({ queryKey: [key] })));
  return {
    refresh,
    async readAgain(id: string): Promise<void> {
      await call(reprocessDocument)({ id });
      await refresh();
    },
    async change(id: string, body: { readonly name?: string; readonly tags?: string[] }): Promise<void> {
      await call(updateDocument)({ id }, body);
      await refresh();
    },
    async remove(id: string): Promise<void> {
      await call(deleteDocument)({ id });
      await refresh();
    },
  };
}
