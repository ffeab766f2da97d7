import { listSpaces, rankByMeaning, rankByKeywords } from "#db/queries/knowledge/passages.ts";
import type { PassageFilter, QuestionVector } from "#db/queries/knowledge/passages.ts";
import type { Database } from "#db/database.ts";
import { fuseRankings } from "#domain/knowledge/rank-fusion.ts";
import type { Ranked } from "#domain/knowledge/rank-fusion.ts";
import type { BillingTarget } from "#domain/models/billing-target.ts";
import type { Tenant } from "#domain/access/role.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";

const DEPTH = 50;
const NOT_EMBEDDED = "Words were looked for, and not everywhere their meaning: the question was not embedded by";
/** Longer questions are cut: what is looked for stands at the beginning. */
const MAX_QUERY_LENGTH = 2_000;

/** Turns questions into vectors with a workspace's own connections. */
export interface QuestionEmbedder {
  /**
   * A question as a vector of a space (`provider/model/dimensions`), or why it cannot be had: nobody has configured
   * the vendor any more, it does not answer in good time, or a budget is used up. The search then goes by words.
   */
  embedQuestion(
    payer: BillingTarget,
    asked: { readonly space: string; readonly question: string; readonly signal: AbortSignal },
  ): Promise<{ readonly vector: readonly number[] } | { readonly missing: string }>;
}

/** A question to passages. */
export interface PassageQuestion extends Pick<PassageFilter, "documents"> {
  readonly question: string;
  readonly payer: BillingTarget;
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
  /** Why the meaning of the question was not looked for everywhere; null when it was, or when there are no vectors. */
  readonly note: string | null;
}

/**
 * Ranks passages by the words of a question and, in every space in which they are embedded, by its meaning; then
 * makes one ranking of these by reciprocal-rank fusion.
 */
export async function rankPassages(
  { db, embedder }: { readonly db: Database; readonly embedder: QuestionEmbedder },
  tenant: Tenant,
  { question: asked, payer, scopes, documents, depth = DEPTH, signal }: PassageQuestion,
): Promise<PassageRanking> {
  const question = asked.slice(0, MAX_QUERY_LENGTH);
  const filter = { scopes, documents, most: depth };
  const byMeaning = async () => {
    const spaces = await listSpaces(db, tenant, scopes);
    const embedded = await Promise.all(
      spaces.map(async (space) => ({ space, ...(await embedder.embedQuestion(payer, { space, question, signal })) })),
    );
    const known: QuestionVector[] = embedded.flatMap((found) =>
      "vector" in found ? [{ space: found.space, vector: found.vector }] : [],
    );
    const missing = embedded.flatMap((found) => ("missing" in found ? [found.missing] : []));
    return { missing, rankings: await Promise.all(known.map((of) => rankByMeaning(db, tenant, { ...filter, ...of }))) };
  };
  const [words, meaning] = await allSettledOrThrow([rankByKeywords(db, tenant, { ...filter, question }), byMeaning()]);
  return {
    mode: meaning.rankings.length === 0 ? "words" : "hybrid",
    ranked: fuseRankings([words, ...meaning.rankings]),
    note: meaning.missing.length === 0 ? null : `${NOT_EMBEDDED} ${meaning.missing.join("; ")}`,
  };
}
