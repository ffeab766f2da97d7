import { listSpaces, rankByMeaning, rankByKeywords } from "#db/queries/knowledge/passages.ts";
import type { PassageFilter, QuestionVector } from "#db/queries/knowledge/passages.ts";
import type { Database } from "#db/database.ts";
import { fuseRankings } from "#domain/knowledge/rank-fusion.ts";
import type { RankedResult } from "#domain/knowledge/rank-fusion.ts";
import type { BillingTarget } from "#domain/models/billing-target.ts";
import type { Tenant } from "#domain/access/role.ts";
import { allSettledOrThrow } from "#lib/async/all-settled-or-throw.ts";
import type { QuestionEmbedder } from "../ports.ts";

const DEPTH = 50;
const NOT_EMBEDDED = "Full-text search was complete, search by meaning was not: the query was not embedded by";
/** Longer queries are cut: the beginning matters most. */
const MAX_QUERY_LENGTH = 2_000;

/** A query for passages. */
export interface PassageQuestion extends Pick<PassageFilter, "documents"> {
  readonly question: string;
  readonly payer: BillingTarget;
  /** The scopes to search, all of the caller's workspace and at least one. */
  readonly scopes: readonly string[];
  /** The number of entries of each ranking that are merged; default {@link DEPTH}. */
  readonly depth?: number;
  readonly signal: AbortSignal;
}

/** The passages that match a query, best first. */
export interface PassageRanking {
  /** Whether they were found by full text alone, or by full text and meaning. */
  readonly mode: "words" | "hybrid";
  readonly ranked: readonly RankedResult[];
  /** Why the search by meaning was incomplete; null when it was complete, or when there are no vectors. */
  readonly note: string | null;
}

/**
 * Ranks passages by full text and, in every space in which they are embedded, by meaning. Merges the rankings by
 * reciprocal-rank fusion.
 */
export async function rankPassages(
  { db, embedder }: { readonly db: Database; readonly embedder: QuestionEmbedder },
  tenant: Tenant,
  { question: asked, payer, scopes, documents, depth = DEPTH, signal }: PassageQuestion,
): Promise<PassageRanking> {
  const question = asked.slice(0, MAX_QUERY_LENGTH);
  const filter = { scopes, documents, most: depth };
  const byMeaning = async () => {
    const spaces = await listSpaces(db.inWorkspace(tenant), scopes);
    const embedded = await Promise.all(
      spaces.map(async (space) => ({ space, ...(await embedder.embedQuestion(payer, { space, question, signal })) })),
    );
    const known: QuestionVector[] = embedded.flatMap((found) =>
      "vector" in found ? [{ space: found.space, vector: found.vector }] : [],
    );
    const missing = embedded.flatMap((found) => ("missing" in found ? [found.missing] : []));
    return { missing, rankings: await Promise.all(known.map((of) => rankByMeaning(db, tenant, { ...filter, ...of }))) };
  };
  const [words, meaning] = await allSettledOrThrow([
    rankByKeywords(db.inWorkspace(tenant), { ...filter, question }),
    byMeaning(),
  ]);
  return {
    mode: meaning.rankings.length === 0 ? "words" : "hybrid",
    ranked: fuseRankings([words, ...meaning.rankings]),
    note: meaning.missing.length === 0 ? null : `${NOT_EMBEDDED} ${meaning.missing.join("; ")}`,
  };
}
