import { useMemo, useState } from "react";
import { ShowEqual } from "./show-equal.tsx";
import { visibleText } from "../../lib/visible-text.ts";
import { foldEqual, wordDiff } from "./model/text-diff.ts";
import type { FoldedPiece } from "./model/text-diff.ts";

const STYLES = {
  same: "",
  removed: "bg-failed-soft text-failed line-through",
  added: "bg-completed-soft text-completed underline decoration-1 underline-offset-2",
} as const;

/** What differs between two texts, word by word; what is equal for long is folded. */
export function TextDifference({ before, after }: { readonly before: string; readonly after: string }) {
  const pieces = useMemo(() => wordDiff(before, after), [before, after]);
  if (before === after) {
    return <p className="text-ink-3">{before === "" ? "Neither has a text." : "Both texts are the same."}</p>;
  }
  if (pieces === undefined) {
    return (
      <div className="grid grid-cols-2 gap-4 max-md:grid-cols-1">
        {[before, after].map((text, index) => (
          <pre key={index} dir="auto" className="max-h-96 overflow-auto font-sans whitespace-pre-wrap">
            {visibleText(text)}
          </pre>
        ))}
      </div>
    );
  }
  return (
    <pre dir="auto" className="max-w-[100ch] font-sans whitespace-pre-wrap [overflow-wrap:anywhere]">
      {foldEqual(pieces).map((piece, index) => (
        <PieceView key={index} piece={piece} />
      ))}
    </pre>
  );
}

function PieceView({ piece }: { readonly piece: FoldedPiece }) {
  const [isOpen, setOpen] = useState(false);
  const text = visibleText(piece.text);
  if (piece.kind === "folded") {
    if (isOpen) return text;
    return (
      <ShowEqual onShow={() => setOpen(true)} className="my-1 block rounded-control bg-raised px-2 py-0.5 font-sans">
        {piece.lines} equal lines
      </ShowEqual>
    );
  }
  if (piece.kind === "removed") return <del className={STYLES.removed}>{text}</del>;
  if (piece.kind === "added") return <ins className={STYLES.added}>{text}</ins>;
  return text;
}
