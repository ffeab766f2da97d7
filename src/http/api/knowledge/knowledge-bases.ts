import { z } from "zod";
import { knowledgeBaseCreate, knowledgeBasePatch } from "#domain/knowledge/knowledge.ts";
import { addSaved } from "../agents/saved.ts";
import type { SavedResource } from "../agents/saved.ts";
import type { Api } from "../shape/route.ts";

/** Adds /console/api/knowledge/bases: collections of documents. */
export default function addKnowledgeBases(api: Api): void {
  addSaved(api, knowledgeBases);
}

const knowledgeBases: SavedResource = {
  of: "knowledge_base",
  tag: "Knowledge",
  path: "/console/api/knowledge/bases",
  name: "KnowledgeBase",
  noun: "knowledge base",
  effects: {
    patch: "a new embedding model applies to documents that are ingested from then on",
    delete: "its documents are deleted too; 409 if agents are restricted to it",
  },
  create: knowledgeBaseCreate,
  patch: knowledgeBasePatch,
  shows: { ...knowledgeBasePatch.required().shape, documents: z.int() },
};
