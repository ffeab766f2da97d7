import { visibleText } from "../../lib/visible-text.ts";
import { WordDiff } from "../../ui/word-diff.tsx";

/** Something that differs, as texts. */
export interface Change {
  readonly label: string;
  readonly before: string;
  readonly after: string;
  /** Long texts are compared word by word. */
  readonly isText: boolean;
}

/** What differs: long texts word by word, values one after the other. */
export function ChangeList({ changes }: { readonly changes: readonly Change[] }) {
  return (
    <dl className="flex flex-col gap-3 py-3">
      {changes.map(({ label, before, after, isText }) => (
        <div key={label} className={isText ? "flex flex-col gap-1" : "flex flex-wrap items-baseline gap-x-3"}>
          <dt className="font-medium">{label}</dt>
          <dd className="min-w-0">
            {isText ? (
              <WordDiff before={before} after={after} />
            ) : (
              <>
                <del className="text-failed">{visibleText(before)}</del>{" "}
                <ins className="text-completed no-underline">{visibleText(after)}</ins>
              </>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
