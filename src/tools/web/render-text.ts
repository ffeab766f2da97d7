import { trimEndOf } from "#lib/text/trim-end.ts";

const ELEMENT = 1;
const TEXT = 3;
const SKIPPED = new Set(["SCRIPT", "STYLE", "NOSCRIPT", "TEMPLATE", "SVG", "HEAD"]);
const BLOCKS = new Set(
  "ADDRESS ARTICLE ASIDE BLOCKQUOTE DD DIV DL DT FIGCAPTION FIGURE FOOTER FORM H1 H2 H3 H4 H5 H6 HEADER HR LI MAIN NAV OL P PRE SECTION TABLE TR UL".split(
    " ",
  ),
);

/** The used part of a DOM node. */
export interface PageNode {
  readonly nodeType: number;
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly childNodes: Iterable<PageNode>;
  getAttribute?(name: string): string | null;
}

/** Renders part of a page as Markdown-like text: headings, lists, code and links. @param base the page's URL */
export function renderText(node: PageNode, base: string): string {
  return inside(node, base)
    .split("\n")
    .map((line) => trimEndOf(line, " \t"))
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

function inside(node: PageNode, base: string): string {
  return [...node.childNodes].map((child) => rendered(child, base)).join("");
}

function rendered(node: PageNode, base: string): string {
  if (node.nodeType === TEXT) return (node.textContent ?? "").replaceAll(/\s+/g, " ");
  const name = node.nodeName.toUpperCase();
  if (node.nodeType !== ELEMENT || SKIPPED.has(name)) return "";
  if (name === "BR") return "\n";
  if (name === "PRE") return `\n\n\`\`\`\n${(node.textContent ?? "").trimEnd()}\n\`\`\`\n\n`;
  if (name === "TD" || name === "TH") return ` ${inside(node, base).trim()} |`;
  if (name === "TR") return `\n|${inside(node, base).replaceAll(/\s+/g, " ").trimEnd()}`;
  const text = inside(node, base);
  if (name === "A") return linked(text, node.getAttribute?.("href") ?? "", base);
  if (name === "LI") return `\n- ${text.trim()}`;
  const [, level] = /^H([1-6])$/.exec(name) ?? [];
  if (level !== undefined) return `\n\n${"#".repeat(Number(level))} ${text.trim()}\n\n`;
  return BLOCKS.has(name) ? `\n\n${text.trim()}\n\n` : text;
}

function linked(text: string, href: string, base: string): string {
  const target = URL.parse(href, base);
  const leadsElsewhere = target !== null && /^https?:$/.test(target.protocol) && !href.startsWith("#");
  return leadsElsewhere && text.trim() !== "" ? `[${text.trim()}](${target.href})` : text;
}
