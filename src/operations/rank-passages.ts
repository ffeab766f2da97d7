import { listSpaces, rankByMeaning, rankByWords } from "#db/queries/passages.ts";
import type { PassageFilter, QuestionVector } from "#db/queries/passages.ts";
import type { Database } from "#db/database.ts";
import { signsOf } from "#domain/embedding.ts";
import { fuseRankings } from "#domain/rank-fusion.ts";
import type { Ranked } from "#domain/rank-fusion.ts";
import type { Tenant } from "#domain/role.ts";
import { settle } from "#lib/settle.ts";

const DEPTH = 50;
/** Longer questions are cut: what is looked for stands at the beginning. */
const LONGEST_QUESTION = 2_000;

/** Turns questions into vectors with a workspace's own connections. */
export interface QuestionEmbedder {
  /**
   * A question as a vector of a space (`provider/model/dimensions`); undefined where it cannot be had: nobody
   * has configured the vendor any more, or it does not answer in good time. The search then goes by words.
   */
  embedQuestion(
    workspaceId: string,
    asked: { readonly space: string; readonly question: string; readonly signal: AbortSignal },
  ): Promise<readonly number[] | undefined>;
}

/** A question to passages. */
export interface PassageQuestion extends Pick<PassageFilter, "documents"> {
  readonly question: string;
  /** The scopes to look in, all of the caller's workspace and at least one. */
  readonly scopes: readonly string[];
  /** How far down each ranking goes before they are made one; {@link DEPTH} unless given. */
  readonly depth?: number;
  readonly signal: AbortSignal;
}

/** The passages that answer a question, best first. */
export interface PassageRanking {
  /** Whether they were found by words alone, or by words and meaning. */
  readonly mode: "words" | "hybrid";
  readonly ranked: readonly Ranked[];
}

/**
 * Ranks passages by the words of a question and, in every space in which they are embedded, by its meaning; then
 * makes one ranking of these by reciprocal-rank fusion.
 */
export async function rankPassages(
  { db, embedder }: { readonly db: Database; readonly embedder: QuestionEmbedder },
  tenant: Tenant,
  { question: asked, scopes, documents, depth = DEPTH, signal }: PassageQuestion,
): Promise<PassageRanking> {
  const question = asked.slice(0, LONGEST_QUESTION);
  const filter = { scopes, documents, most: depth };
  const byMeaning = async () => {
    const spaces = await listSpaces(db, tenant, scopes);
    const vectors = await Promise.all(spaces.map((space) => embed({ space, question, signal })));
    const known = vectors.filter((vector) => vector !== undefined);
    return Promise.all(known.map((vector) => rankByMeaning(db, tenant, { ...filter, ...vector })));
  };
  const embed = async (of: Parameters<QuestionEmbedder["embedQuestion"]>[1]): Promise<QuestionVector | undefined> => {
    const vector = await embedder.embedQuestion(tenant.workspaceId, of);
    return vector === undefined ? undefined : { space: of.space, vector, signs: signsOf(vector) };
  };
  const [words, meanings] = await settle([rankByWords(db, tenant, { ...filter, question }), byMeaning()]);
  return { mode: meanings.length === 0 ? "words" : "hybrid", ranked: fuseRankings([words, ...meanings]) };
}
