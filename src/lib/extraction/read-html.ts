import { Readability } from "@mozilla/readability";
import { parseHTML } from "linkedom";
import { body, heading } from "./block.ts";
import type { Block } from "./block.ts";
import { isMarkedDeeperThan, nestsDeeperThan, PARSABLE_LEVELS, READABLE_LEVELS } from "../text/nesting.ts";
import { ExtractionError } from "./limits.ts";
import { decodeText } from "./read-text.ts";

const ELEMENT = 1;
const TEXT = 3;
const IGNORED = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "SVG", "IFRAME", "HEAD", "TITLE"]);
const HEADINGS = /^H[1-6]$/;
/** Elements that begin and end a line of thought. */
const BLOCKS = new Set(
  `ADDRESS ARTICLE ASIDE BLOCKQUOTE BODY DD DETAILS DIV DL DT FIGCAPTION FIGURE FOOTER FORM HEADER HR LI MAIN NAV OL P
  PRE SECTION SUMMARY TABLE TBODY TD TFOOT TH THEAD TR UL`.split(/\s+/),
);

/** What is used of a node of the DOM. */
interface MarkupNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly childNodes: Iterable<MarkupNode>;
}

/**
 * The text of a page: of its article, where it has one that stands out, without menus and the like.
 * @throws ExtractionError for one that is nested too deeply.
 */
export function readHtml(content: Uint8Array): Block[] {
  const html = wholePage(decodeText(content));
  if (isMarkedDeeperThan(PARSABLE_LEVELS, html))
    throw new ExtractionError(`It is nested over ${PARSABLE_LEVELS} levels deep.`);
  const { document } = parseHTML(html);
  if (nestsDeeperThan(READABLE_LEVELS, document.body)) return readMarkup(html);
  const article = new Readability(document).parse();
  const found = article?.content ? readMarkup(article.content) : [];
  const title = article?.title ? [heading(article.title)] : [];
  // Readability changes the document it reads.
  return found.length > 0 ? [...title, ...found] : readMarkup(html);
}

/** The parser wants a page, not a part of one. */
function wholePage(html: string): string {
  return /<html[\s>]/i.test(html) ? html : `<!doctype html><html><body>${html}</body></html>`;
}

/** The text of markup in the order in which it stands; a row of a table is a paragraph. */
export function readMarkup(html: string): Block[] {
  const { document } = parseHTML(wholePage(html));
  const blocks: Block[] = [];
  let line = "";
  const end = (as: "heading" | "body") => {
    const text = line.replaceAll(/\s+/g, " ").trim();
    if (text !== "") blocks.push(as === "heading" ? heading(text) : body(text));
    line = "";
  };
  const cell = (node: MarkupNode) => node.nodeName === "TD" || node.nodeName === "TH";
  // With a stack of its own: a page may be nested deeper than calls can be.
  const rest: (MarkupNode | "heading" | "body" | "cell")[] = [document.body];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    if (next === "cell") line += " | ";
    else if (next === "heading" || next === "body") end(next);
    else if (next.nodeType === TEXT) line += next.textContent ?? "";
    else if (next.nodeType === ELEMENT && !IGNORED.has(next.nodeName)) {
      if (next.nodeName === "BR") line += "\n";
      const isHeading = HEADINGS.test(next.nodeName);
      if (isHeading || (BLOCKS.has(next.nodeName) && !cell(next))) {
        end("body");
        rest.push(isHeading ? "heading" : "body");
      }
      if (cell(next)) rest.push("cell");
      rest.push(...[...next.childNodes].toReversed());
    }
  }
  end("body");
  return blocks;
}
