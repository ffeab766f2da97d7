/** Damps the lead of the first ranks (G. Cormack et al., "Reciprocal Rank Fusion", SIGIR 2009). */
const DAMPING = 60;

/** A search result with its score. */
export interface RankedResult {
  readonly id: string;
  /** Between 0 and 1; 1 is first in every ranking. */
  readonly score: number;
}

/**
 * Reciprocal-rank fusion: merges several rankings whose own scores are not comparable. Results ranked high in many of
 * them come first; ties keep the order of the first ranking.
 * @param rankings ids, each ranking best first
 */
export function fuseRankings(rankings: readonly (readonly string[])[]): RankedResult[] {
  const scores = new Map<string, number>();
  for (const ranking of rankings) {
    for (const [place, id] of ranking.entries()) {
      scores.set(id, (scores.get(id) ?? 0) + (DAMPING + 1) / (DAMPING + 1 + place) / rankings.length);
    }
  }
  return [...scores].map(([id, score]) => ({ id, score })).toSorted((a, b) => b.score - a.score);
}
