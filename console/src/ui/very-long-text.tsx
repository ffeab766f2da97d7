import { useState } from "react";
import type { ReactNode } from "react";
import { bytes } from "../lib/format.ts";
import { saveFile } from "../lib/save-file.ts";
import { visibleText } from "../lib/visible-text.ts";
import { Button } from "./button.tsx";

/** The browser lays out only the pieces that are seen. */
const PIECE = 20_000;

/**
 * Shows the beginning of a very long text, with ways to the rest.
 * @param length of the beginning, at most, in characters
 * @param children draws the beginning
 */
export function VeryLongText({
  text,
  length,
  children,
}: {
  readonly text: string;
  readonly length: number;
  readonly children: (beginning: string) => ReactNode;
}) {
  const [isWhole, setWhole] = useState(false);
  const head = text.slice(0, endOfPiece(text, 0, length));
  return (
    <div className="flex min-w-0 flex-col gap-3">
      {isWhole ? <Pieces text={text} /> : children(head)}
      <div className="flex flex-wrap items-center gap-2 border-t border-line p-2 text-small text-ink-2">
        <span className="me-auto">
          {isWhole ? bytes(text.length) : `The first ${bytes(head.length)} of ${bytes(text.length)}`}
        </span>
        <Button size="small" onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show less" : "Show all"}
        </Button>
        <Button size="small" onClick={() => saveFile("text.txt", new Blob([text], { type: "text/plain" }))}>
          Download
        </Button>
      </div>
    </div>
  );
}

/** The whole text as it was written. */
function Pieces({ text }: { readonly text: string }) {
  return (
    <div dir="auto" className="max-w-[72ch] whitespace-pre-wrap [overflow-wrap:anywhere]">
      {piecesOf(text).map((piece, index) => (
        <div key={index} className="[contain-intrinsic-size:auto_1000px] [content-visibility:auto]">
          {visibleText(piece)}
        </div>
      ))}
    </div>
  );
}

function piecesOf(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = endOfPiece(text, start, PIECE);
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

/** After the last line break of a piece, or its last whole character. */
function endOfPiece(text: string, start: number, length: number): number {
  const end = start + length;
  if (end >= text.length) return text.length;
  const afterBreak = text.lastIndexOf("\n", end) + 1;
  if (afterBreak > start) return afterBreak;
  return /[\uD800-\uDBFF]/.test(text.charAt(end - 1)) ? end - 1 : end;
}
