import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import { body, heading } from "./block.ts";
import type { Block, Extracted } from "./block.ts";
import { isMarkupDeeperThan, nestsDeeperThan, PARSABLE_LEVELS, READABLE_LEVELS } from "../text/nesting.ts";
import { ExtractionError } from "./limits.ts";
import { charsetOf } from "../text/decode-markup.ts";
import { decodeText } from "./read-text.ts";

const ELEMENT = 1;
const TEXT = 3;
const IGNORED = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "SVG", "IFRAME", "HEAD", "TITLE"]);
const HEADINGS = /^H[1-6]$/;
/** Block elements. */
const BLOCKS = new Set(
  `ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY DD DETAILS DIV DL DT FIGCAPTION FIGURE FOOTER FORM HEADER HR LI MAIN NAV OL P
  PRE SECTION SUMMARY TABLE TBODY TD TFOOT TH THEAD TR UL`.split(/\s+/),
);

/** The used part of a DOM node. */
interface MarkupNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly childNodes: Iterable<MarkupNode>;
}

/**
 * The text of a page: of its main article, if it has one, without menus.
 * @throws ExtractionError for a page that is nested too deeply
 */
export function readHtml(content: Uint8Array): Extracted {
  const { text, warnings } = decodePage(content);
  return { blocks: articleIn(wholePage(text)), warnings };
}

/** A page may declare another encoding than UTF-8. */
function decodePage(content: Uint8Array): { readonly text: string; readonly warnings: readonly string[] } {
  const charset = charsetOf(content);
  if (charset === undefined) return { text: decodeText(content), warnings: [] };
  const text = new TextDecoder(charset).decode(content);
  if (text.includes("\0")) throw new ExtractionError("It holds bytes that no text has.");
  const isWhole = !text.includes("\uFFFD");
  return { text, warnings: isWhole ? [] : [`Some of its bytes are no text in ${charset}, which it declares.`] };
}

function articleIn(html: string): Block[] {
  if (isMarkupDeeperThan(PARSABLE_LEVELS, html))
    throw new ExtractionError(`It is nested over ${PARSABLE_LEVELS} levels deep.`);
  const { document } = parseHTML(html);
  if (nestsDeeperThan(READABLE_LEVELS, document.body)) return readMarkup(html);
  const article = new Readability(document).parse();
  const found = article?.content ? readMarkup(article.content) : [];
  const title = article?.title ? [heading(article.title)] : [];
  // Readability modifies the document.
  return found.length > 0 ? [...title, ...found] : readMarkup(html);
}

/** The parser requires a complete page. */
function wholePage(html: string): string {
  return /<html[\s>]/i.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`;
}

/** The text of markup in document order; a table row becomes a paragraph. */
export function readMarkup(html: string): Block[] {
  const { document } = parseHTML(wholePage(html));
  const blocks: Block[] = [];
  let line = "";
  const end = (as: "heading" | "body") => {
    const text = line.replaceAll(/\s+/g, " ").trim();
    if (text !== "") blocks.push(as === "heading" ? heading(text) : body(text));
    line = "";
  };
  // An explicit stack, because a page may be nested deeper than the call stack allows.
  const rest: (MarkupNode | "heading" | "body")[] = [document.body];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (next === "heading" || next === "body") end(next);
    else if (next.nodeType === TEXT) line += next.textContent ?? "";
    else if (next.nodeType === ELEMENT && !IGNORED.has(next.nodeName)) {
      if (next.nodeName === "BR") line += "\n";
      const isHeading = HEADINGS.test(next.nodeName);
      if (isHeading || BLOCKS.has(next.nodeName)) {
        end("body");
        rest.push(isHeading ? "heading" : "body");
      }
      const cells = next.nodeName === "TR" ? cellsOf(next) : undefined;
      if (cells === undefined) rest.push(...[...next.childNodes].toReversed());
      else line = cells.join(" | ");
    }
  }
  end("body");
  return blocks;
}

/** The texts of a row's cells, empty ones included; undefined for a row that only lays out a page. */
function cellsOf(row: MarkupNode): readonly string[] | undefined {
  const cells = [...row.childNodes].filter(({ nodeName }) => nodeName === "TD" || nodeName === "TH").map(textIn);
  return cells.length < 2 || cells.includes(undefined) ? undefined : cells.map((text) => text ?? "");
}

/** The text of a cell on one line; undefined if it has a heading or a table of its own. */
function textIn(cell: MarkupNode): string | undefined {
  let text = "";
  const rest: MarkupNode[] = [cell];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (next.nodeName === "TABLE" || HEADINGS.test(next.nodeName)) return undefined;
    if (next.nodeType === TEXT) text += next.textContent ?? "";
    else if (next.nodeType === ELEMENT && !IGNORED.has(next.nodeName)) {
      if (next.nodeName === "BR" || BLOCKS.has(next.nodeName)) text += " ";
      rest.push(...[...next.childNodes].toReversed());
    }
  }
  return text.replaceAll(/\s+/g, " ").trim();
}
