/** More than any model processes in a call; the sum over a run still fits into 32 bits. */
const MAX_TOKENS = 10_000_000;

/**
 * Validates a provider's token count: a whole number of 0 or more. An endpoint may report anything; a negative count
 * would refund a budget.
 */
export function tokenCount(said: number | undefined): number {
  return said === undefined || !(said > 0) ? 0 : Math.min(Math.ceil(said), MAX_TOKENS);
}
