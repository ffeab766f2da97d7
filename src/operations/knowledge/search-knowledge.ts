import { invalid } from "#domain/invalid.ts";
import type { SearchResult } from "#domain/knowledge/knowledge.ts";
import { askingPerson } from "#domain/models/billing-target.ts";
import type { Tenant } from "#domain/access/role.ts";
import { knownBases, readFinds, taggedDocuments } from "#db/queries/knowledge/knowledge.ts";
import { rankPassages } from "./rank-passages.ts";
import type { PassageQuestion } from "./rank-passages.ts";
import type { Services } from "../context.ts";
import type { Workspace } from "../workspace.ts";

/** A query for knowledge bases. */
export interface KnowledgeQuestion extends Pick<PassageQuestion, "question" | "payer" | "signal"> {
  /** The bases to search; empty for all of the workspace. Unknown ones match nothing. */
  readonly knowledgeBaseIds: readonly string[];
  /** Only documents that have all of these. */
  readonly tags: readonly string[];
  /** The maximum number of passages. */
  readonly limit: number;
}

type SearchServices = Pick<Services, "db" | "embedder">;

const NO_RESULTS: SearchResult = { mode: "words", note: null, results: [] };

/** Returns the passages that match a query, best first. */
export async function searchKnowledge(
  { db, embedder }: SearchServices,
  tenant: Tenant,
  { question, payer, knowledgeBaseIds, tags, limit, signal }: KnowledgeQuestion,
): Promise<SearchResult> {
  const named = knowledgeBaseIds.length === 0 ? undefined : knowledgeBaseIds;
  const scopes = await knownBases(db.inWorkspace(tenant), named);
  if (scopes.length === 0) return NO_RESULTS;
  const documents =
    tags.length === 0 ? undefined : await taggedDocuments(db.inWorkspace(tenant), { bases: scopes, tags });
  if (documents?.length === 0) return NO_RESULTS;
  const asked = { question, payer, scopes, documents, signal };
  const { mode, note, ranked } = await rankPassages({ db, embedder }, tenant, asked);
  const scores = new Map(ranked.map(({ id, score }) => [id, score]));
  const found = await readFinds(db.inWorkspace(tenant), { ids: [...scores.keys()], limit });
  return { mode, note, results: found.map(({ id, ...find }) => ({ ...find, score: scores.get(id) ?? 0 })) };
}

/** Like {@link searchKnowledge}, but rejects unknown knowledge bases. @throws AppError `bad_request`. */
export async function searchNamedKnowledge(
  workspace: Workspace,
  question: Omit<KnowledgeQuestion, "payer">,
): Promise<SearchResult> {
  const { knowledgeBaseIds: ids } = question;
  const known = new Set(ids.length === 0 ? [] : await knownBases(workspace, ids));
  const unknown = ids.findIndex((id) => !known.has(id.toLowerCase()));
  if (unknown !== -1) {
    throw invalid("query", [
      { path: "knowledge_base_ids", message: `the workspace has no knowledge base ${ids[unknown]}` },
    ]);
  }
  return searchKnowledge(workspace, workspace.who, { ...question, payer: askingPerson(workspace.who.workspaceId) });
}
