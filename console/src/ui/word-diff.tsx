import { diffWordsWithSpace } from "diff";
import { useMemo } from "react";
import { visibleText } from "../lib/visible-text.ts";
import { CodeBox } from "./code-box.tsx";

/** Texts that differ in more words are shown one after the other, which bounds the time. */
const MAX_EDITS = 2_000;

/** Two texts as one: what only the first has is struck, what only the second has is underlined. */
export function WordDiff({ before, after }: { readonly before: string; readonly after: string }) {
  const parts = useMemo(
    () =>
      diffWordsWithSpace(before, after, { maxEditLength: MAX_EDITS }) ?? [
        { value: before, removed: true, added: false },
        { value: after, removed: false, added: true },
      ],
    [before, after],
  );
  return (
    <CodeBox className="box bg-surface p-3">
      {parts.map(({ value, added, removed }, index) =>
        added ? (
          <ins key={index} className="bg-completed-soft text-completed decoration-1 underline-offset-2">
            {visibleText(value)}
          </ins>
        ) : removed ? (
          <del key={index} className="bg-failed-soft text-failed">
            {visibleText(value)}
          </del>
        ) : (
          <span key={index}>{visibleText(value)}</span>
        ),
      )}
    </CodeBox>
  );
}
