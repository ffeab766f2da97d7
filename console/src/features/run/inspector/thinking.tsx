import { useState } from "react";
import { visibleText } from "../../../lib/visible-text.ts";
import { Spinner } from "../../../ui/button.tsx";
import { ChevronRightIcon } from "../../../ui/icons.ts";
import { Markdown } from "../../../ui/markdown.tsx";

/** As much of it as a line may show. */
const PREVIEW = 200;

/** Whether something is unfolded, and what to call when a person unfolds or folds it. */
export interface Fold {
  readonly isUnfolded: boolean;
  readonly onToggle: (event: { readonly currentTarget: HTMLDetailsElement }) => void;
}

/** A fold that is folded at first. */
export function useFold(): Fold {
  const [isUnfolded, setUnfolded] = useState(false);
  return { isUnfolded, onToggle: ({ currentTarget: { open } }) => setUnfolded(open) };
}

/**
 * What a model thinks, folded to a line; the text is drawn once it is unfolded.
 * @param isOpen whether the model still thinks
 */
export function Thinking({
  text,
  isOpen = false,
  fold: { isUnfolded, onToggle },
}: {
  readonly text: string;
  readonly isOpen?: boolean;
  readonly fold: Fold;
}) {
  return (
    <details open={isUnfolded} className="group max-w-[72ch] box" onToggle={onToggle}>
      <summary className="flex h-9 list-none items-center gap-2 px-3 text-ink-2 hover:bg-surface touch:h-11">
        {isOpen ? <Spinner /> : <ChevronRightIcon className="text-ink-3 group-open:rotate-90" />}
        <span>Thinking</span>
        <span dir="auto" className="min-w-0 flex-1 truncate text-small text-ink-3 group-open:invisible">
          {visibleText(text.slice(0, PREVIEW))}
        </span>
      </summary>
      {isUnfolded && (
        <div className="border-t border-line p-3 text-ink-2">
          <Markdown text={text} />
        </div>
      )}
    </details>
  );
}
