const MAX_NAMED = 10;

/** The numbers of pages or rows in a sentence: the first ones, and how many more. */
export function enumerate(numbers: readonly number[]): string {
  const named = numbers.slice(0, MAX_NAMED).join(", ");
  return numbers.length > MAX_NAMED ? `${named} and ${numbers.length - MAX_NAMED} more` : named;
}
