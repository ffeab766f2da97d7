import { Suspense, lazy } from "react";
import type { ComponentType } from "react";
import { visibleText } from "../lib/visible-text.ts";
import { loadPart } from "../lib/load-part.ts";

const Blocks = lazy(loadBlocks);

/** Whatever Markdown may give a meaning to. A text without any of it is paragraphs, with and without the parser. */
const MARKUP = /[*_`#>~|<[\]\\&!@]|:\/\/|www\.|^\s*(?:[-+=]|\d+[.)])|^(?: {4}| *\t)/m;

/**
 * Renders the Markdown of a person or a model. It becomes elements, never HTML: tags in it show as text, pictures as
 * links, and links say where they lead. The parser is fetched for the first text that needs it; until it is there, the
 * text shows as it was written.
 */
export function Markdown({ text }: { readonly text: string }) {
  return (
    <div dir="auto" className="prose">
      {MARKUP.test(text) ? (
        <Suspense fallback={<Paragraphs text={text} />}>
          <Blocks text={text} />
        </Suspense>
      ) : (
        <Paragraphs text={text} />
      )}
    </div>
  );
}

/** Fetches the parser. Pages that mostly show Markdown call it ahead; without it the texts stay as they are written. */
export function loadBlocks(): Promise<{ readonly default: ComponentType<{ readonly text: string }> }> {
  return loadPart(() => import("./markdown-blocks.tsx")).then(
    ({ MarkdownBlocks }) => ({ default: MarkdownBlocks }),
    () => ({ default: Paragraphs }),
  );
}

function Paragraphs({ text }: { readonly text: string }) {
  return text
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== "")
    .map((paragraph, index) => <p key={index}>{visibleText(paragraph)}</p>);
}
