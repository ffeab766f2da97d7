import { diffWordsWithSpace } from "diff";

/** A piece of a text: the same on both sides, or only on one. */
export interface Piece {
  readonly kind: "same" | "removed" | "added";
  readonly text: string;
}

/** Longer comparisons are given up, in milliseconds: both texts are then shown whole. */
const MAX_MS = 300;

/** The differences of two texts by word; undefined when they are too long or too different to be found soon. */
export function wordDiff(before: string, after: string): readonly Piece[] | undefined {
  const changes = diffWordsWithSpace(before, after, { timeout: MAX_MS });
  return changes?.map(({ added, removed, value }) => ({
    kind: added ? "added" : removed ? "removed" : "same",
    text: value,
  }));
}

/** Lines of a long equal piece that stay in sight, next to what differs. */
const CONTEXT_LINES = 3;

/** A piece, or the middle of a long equal one, which is folded. */
export type FoldedPiece = Piece | { readonly kind: "folded"; readonly text: string; readonly lines: number };

/** Folds the middle of long equal pieces. */
export function foldEqual(pieces: readonly Piece[]): readonly FoldedPiece[] {
  return pieces.flatMap((piece, index): readonly FoldedPiece[] => {
    if (piece.kind !== "same") return [piece];
    const lines = piece.text.split("\n");
    const head = index === 0 ? 0 : CONTEXT_LINES;
    const tail = index === pieces.length - 1 ? 0 : CONTEXT_LINES;
    const folded = lines.length - head - tail;
    if (folded <= CONTEXT_LINES) return [piece];
    const end = lines.length - tail;
    return [
      ...(head === 0 ? [] : [{ kind: "same" as const, text: `${lines.slice(0, head).join("\n")}\n` }]),
      { kind: "folded", lines: folded, text: `${lines.slice(head, end).join("\n")}\n` },
      ...(tail === 0 ? [] : [{ kind: "same" as const, text: lines.slice(end).join("\n") }]),
    ];
  });
}
