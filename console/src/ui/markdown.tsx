import { useEffect, useState } from "react";
import { visibleText } from "../lib/visible-text.ts";
import { FallbackBoundary } from "./fallback-boundary.tsx";
import { LongText } from "./long-text.tsx";
import { MarkdownBlocks } from "./markdown-blocks.tsx";
import type { Parsed } from "./markdown-worker.ts";
import { parseMarkdown, parsedBefore } from "./parse-markdown.ts";

/** Whatever Markdown may give a meaning to. A text without any of it is paragraphs, with and without the parser. */
const MARKUP = /[*_`#>~|<[\]\\&!@]|:\/\/|www\.|^ *(?:[-+=]|\d+[.)])|^(?: {4}| *\t)/m;

/**
 * Renders the Markdown of a person or a model. It becomes elements, never HTML: tags in it show as text, pictures as
 * links, and links say where they lead. Until it is parsed, and when that takes too long, it shows as it was written.
 */
export function Markdown({ text }: { readonly text: string }) {
  return (
    <LongText text={text}>
      {(shown) => (
        <div dir="auto" className="prose">
          {MARKUP.test(shown) ? <ParsedText text={shown} /> : <Paragraphs text={shown} />}
        </div>
      )}
    </LongText>
  );
}

function ParsedText({ text }: { readonly text: string }) {
  const blocks = useBlocks(text);
  if (blocks === null) return <Paragraphs text={text} />;
  return (
    <FallbackBoundary fallback={<Paragraphs text={text} />}>
      <MarkdownBlocks blocks={blocks} />
    </FallbackBoundary>
  );
}

/** The blocks of a text; while it grows, those of its last parsed beginning. Null until there are any. */
function useBlocks(text: string): Parsed {
  const [last, setLast] = useState<{ readonly text: string; readonly parsed: Parsed }>();
  useEffect(() => {
    if (parsedBefore(text) === undefined) return parseMarkdown(text, (parsed) => setLast({ text, parsed }));
  }, [text]);
  const known = parsedBefore(text);
  if (known !== undefined) return known;
  return last !== undefined && text.startsWith(last.text) ? last.parsed : null;
}

function Paragraphs({ text }: { readonly text: string }) {
  return text
    .split(/\n\s*\n/)
    .filter((paragraph) => paragraph.trim() !== "")
    .map((paragraph, index) => <p key={index}>{visibleText(paragraph)}</p>);
}
