import type { Token, Tokens } from "marked";
import { memo } from "react";
import type { ReactNode } from "react";
import { visibleText } from "../lib/visible-text.ts";
import { ExternalLink } from "./external-link.tsx";

/** The blocks of a Markdown text. While it grows, only its last block is rendered again. */
export function MarkdownBlocks({ blocks }: { readonly blocks: readonly Token[] }) {
  return blocks.map((block, index) => <Block key={index} raw={block.raw} token={block} />);
}

/** Each text is parsed again; a block with the same source keeps its identity. */
const Block = memo(
  function Block({ token }: { readonly raw: string; readonly token: Token }) {
    return blockOf(token);
  },
  (before, after) => before.raw === after.raw,
);

function blockOf(token: Token): ReactNode {
  if (isHeading(token)) {
    // The page has its own h1 and h2.
    const Tag = (["h3", "h3", "h4", "h5", "h6", "h6"] as const)[token.depth - 1] ?? "h6";
    return <Tag>{inlineAll(token.tokens)}</Tag>;
  }
  if (isParagraph(token)) return <p>{inlineAll(token.tokens)}</p>;
  if (isCode(token)) {
    return (
      // Who approves a call must see all of its arguments.
      <pre tabIndex={0} data-wraps={token.lang === "json" || undefined}>
        <code>{visibleText(token.text)}</code>
      </pre>
    );
  }
  if (isQuote(token)) return <blockquote>{token.tokens.map(keyed(blockOf))}</blockquote>;
  if (isList(token)) return listOf(token);
  if (isTable(token)) return tableOf(token);
  if (token.type === "hr") return <hr />;
  if (token.type === "space" || token.type === "def") return null;
  return <p>{inlineOf(token)}</p>;
}

function listOf({ ordered, start, items }: Tokens.List): ReactNode {
  const rows = items.map((item, index) => (
    <li key={index}>
      {item.task && (
        <input type="checkbox" checked={item.checked === true} disabled className="me-1" aria-label="Done" />
      )}
      {item.tokens.map(
        keyed((token) => (isText(token) ? inlineOf(token) : token.type === "checkbox" ? null : blockOf(token))),
      )}
    </li>
  ));
  return ordered ? <ol start={start === "" ? 1 : start}>{rows}</ol> : <ul>{rows}</ul>;
}

function tableOf({ header, rows }: Tokens.Table): ReactNode {
  return (
    <table tabIndex={0}>
      <thead>
        <tr>
          {header.map((cell, index) => (
            <th key={index} scope="col">
              {inlineAll(cell.tokens)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {row.map((cell, column) => (
              <td key={column}>{inlineAll(cell.tokens)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function inlineAll(tokens: readonly Token[]): ReactNode {
  return tokens.map(keyed(inlineOf));
}

function inlineOf(token: Token): ReactNode {
  switch (token.type) {
    case "strong":
      return <strong>{inlineAll(childrenOf(token))}</strong>;
    case "em":
      return <em>{inlineAll(childrenOf(token))}</em>;
    case "del":
      return <del>{inlineAll(childrenOf(token))}</del>;
    case "br":
      return <br />;
  }
  if (isCodeSpan(token)) return <code>{visibleText(token.text)}</code>;
  if (isLink(token)) return <ExternalLink href={token.href}>{inlineAll(token.tokens)}</ExternalLink>;
  if (isImage(token))
    return <ExternalLink href={token.href}>{`Picture: ${token.text || "no description"}`}</ExternalLink>;
  if (isEscape(token)) return visibleText(token.text);
  if (isText(token) && token.tokens !== undefined) return inlineAll(token.tokens);
  return visibleText(unescapeText(token));
}

/** The lexer leaves text as it was written; HTML is text here. */
function unescapeText(token: Token): string {
  return "text" in token && typeof token.text === "string" && token.type !== "html" ? token.text : token.raw;
}

function keyed(render: (token: Token) => ReactNode): (token: Token, index: number) => ReactNode {
  return function Keyed(token, index) {
    return (
      <span key={index} className="contents">
        {render(token)}
      </span>
    );
  };
}

function childrenOf(token: Token): readonly Token[] {
  return "tokens" in token && Array.isArray(token.tokens) ? token.tokens : [];
}

const isHeading = (token: Token): token is Tokens.Heading => token.type === "heading";
const isParagraph = (token: Token): token is Tokens.Paragraph => token.type === "paragraph";
const isCode = (token: Token): token is Tokens.Code => token.type === "code";
const isQuote = (token: Token): token is Tokens.Blockquote => token.type === "blockquote";
const isList = (token: Token): token is Tokens.List => token.type === "list";
const isTable = (token: Token): token is Tokens.Table => token.type === "table";
const isText = (token: Token): token is Tokens.Text => token.type === "text";
const isCodeSpan = (token: Token): token is Tokens.Codespan => token.type === "codespan";
const isLink = (token: Token): token is Tokens.Link => token.type === "link";
const isImage = (token: Token): token is Tokens.Image => token.type === "image";
const isEscape = (token: Token): token is Tokens.Escape => token.type === "escape";
