/**
 * The candidate most likely meant by a mistyped word; undefined when none is close: at most a third of its letters
 * differ, or it begins with the word.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .filter(({ candidate, distance }) => distance <= Math.max(1, candidate.length / 3))
    .toSorted((a, b) => a.distance - b.distance);
  return ranked[0]?.candidate ?? candidates.find((candidate) => word !== "" && candidate.startsWith(word));
}

/** The edit distance of insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = at(previous, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      const swaps = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const swapped = swaps ? at(beforePrevious, column - 2) + 1 : Infinity;
      current.push(Math.min(replaced, swapped, at(previous, column) + 1, at(current, column - 1) + 1));
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
