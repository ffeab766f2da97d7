import { diffArrays } from "diff";

/** Texts that differ in more lines are not aligned: one is removed, the other added. */
const MAX_EDITS = 1_000;

/** A line of the comparison: in both texts, only in the first, or only in the second. */
export interface DiffLine {
  readonly change: "kept" | "removed" | "added";
  readonly line: string;
}

/**
 * Compares two texts line by line: the fewest removed and added lines that turn the first into the second, in reading
 * order. Texts that differ in more than {@link MAX_EDITS} lines are replaced as a whole, which limits the time.
 */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [a, b] = [before.split("\n"), after.split("\n")];
  const parts = diffArrays(a, b, { maxEditLength: MAX_EDITS });
  if (parts === undefined) return [...marked("removed", a), ...marked("added", b)];
  return parts.flatMap(({ added, removed, value }) => marked(added ? "added" : removed ? "removed" : "kept", value));
}

function marked(change: DiffLine["change"], lines: readonly string[]): DiffLine[] {
  return lines.map((line) => ({ change, line }));
}
