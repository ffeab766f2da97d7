/** More than any model takes or gives in a call; a run's sums of so many still are whole numbers of 32 bits. */
const MAX_TOKENS = 10_000_000;

/**
 * The tokens of a call as they can be counted, from what its vendor says: a whole number from 0 on. An endpoint may
 * say anything; less than nothing would give a budget back what others have spent.
 */
export function tokenCount(said: number | undefined): number {
  return said === undefined || !(said > 0) ? 0 : Math.min(Math.ceil(said), MAX_TOKENS);
}
