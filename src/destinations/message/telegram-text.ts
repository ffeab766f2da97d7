import { lexer } from "marked";
import type { MarkedToken, Token, Tokens } from "marked";
import { breakMentions } from "./mentions.ts";

/** The form of a part of a text, in UTF-16 units (https://core.telegram.org/bots/api#messageentity). */
export interface TelegramEntity {
  readonly type: "bold" | "italic" | "strikethrough" | "code" | "pre" | "text_link" | "blockquote";
  readonly offset: number;
  readonly length: number;
  readonly url?: string;
  readonly language?: string;
}

/** A text with its forms. */
export interface TelegramText {
  readonly text: string;
  readonly entities: readonly TelegramEntity[];
}

type Form = Omit<TelegramEntity, "offset" | "length">;

interface Writing {
  text: string;
  isQuote: boolean;
  readonly entities: TelegramEntity[];
}

/** Telegram ignores more. */
const MAX_ENTITIES = 100;
const ZERO_WIDTH_SPACE = "\u200b";
const EMPHASIS = { strong: "bold", em: "italic", del: "strikethrough" } as const;

/**
 * Markdown as Telegram shows it: code, emphasis, headings, lists, quotes and links; what it has no form for stays as it
 * is written. No text mentions anybody; code keeps its own.
 */
export function telegramText(markdown: string): TelegramText {
  const writing: Writing = { text: "", isQuote: false, entities: [] };
  try {
    writeBlocks(writing, lexer(markdown, { gfm: true }), "");
  } catch (error) {
    // Deep nesting exhausts the parser's stack.
    if (!(error instanceof RangeError)) throw error;
    writing.text = "";
  }
  const text = writing.text.trimEnd();
  if (text.trim() === "") return { text: breakMentions(markdown), entities: [] };
  const entities = writing.entities.filter(({ length }) => length > 0);
  return { text, entities: entities.slice(0, MAX_ENTITIES) };
}

/** @param indent before the items of lists */
function writeBlocks(writing: Writing, blocks: readonly Token[], indent: string): void {
  for (const block of blocks) {
    if (block.type === "space") writing.text += newlinesAfter(block.raw);
    else {
      writeBlock(writing, block, indent);
      endLine(writing, block.raw);
    }
  }
}

function writeBlock(writing: Writing, block: Token, indent: string): void {
  if (is(block, "heading")) writeAs(writing, { type: "bold" }, () => writeInline(writing, block.tokens));
  else if (is(block, "code")) writeCode(writing, block);
  // Its columns stand below each other.
  else if (is(block, "table")) writeAs(writing, { type: "pre" }, () => (writing.text += block.raw.trimEnd()));
  else if (is(block, "blockquote")) writeQuote(writing, block, indent);
  else if (is(block, "list")) writeList(writing, block, indent);
  else if (is(block, "paragraph")) writeInline(writing, block.tokens);
  else if (is(block, "text")) writeInline(writing, block.tokens ?? [block]);
  else writePlain(writing, block.raw.trimEnd());
}

function writeCode(writing: Writing, { lang, text }: Tokens.Code): void {
  const [language = ""] = (lang ?? "").split(/\s/, 1);
  writeAs(writing, { type: "pre", ...(language !== "" && { language }) }, () => (writing.text += text));
}

/** Quotes have no quotes in them. */
function writeQuote(writing: Writing, { tokens }: Tokens.Blockquote, indent: string): void {
  if (writing.isQuote) return writeBlocks(writing, tokens, indent);
  writing.isQuote = true;
  writeAs(writing, { type: "blockquote" }, () => writeBlocks(writing, tokens, indent));
  writing.isQuote = false;
}

/** Numbers stay as they are written: the text must not grow. */
function writeList(writing: Writing, { items, ordered }: Tokens.List, indent: string): void {
  for (const item of items) {
    const [number = ""] = item.raw.trimStart().split(/\s/, 1);
    const box = item.task ? `[${item.checked === true ? "x" : " "}] ` : "";
    const isOwnLine = writing.text === "" || writing.text.endsWith("\n");
    writing.text += `${isOwnLine ? indent : ""}${ordered ? number : "•"} ${box}`;
    const inside = item.tokens.filter(({ type }) => type !== "checkbox");
    writeBlocks(writing, inside, `${indent}  `);
    endLine(writing, item.raw);
  }
}

function writeInline(writing: Writing, parts: readonly Token[]): void {
  for (const part of parts) {
    if (is(part, "strong") || is(part, "em") || is(part, "del")) {
      writeAs(writing, { type: EMPHASIS[part.type] }, () => writeInline(writing, part.tokens));
    } else if (is(part, "codespan")) writeAs(writing, { type: "code" }, () => (writing.text += part.text));
    else if (is(part, "link") && part.raw !== part.text && /^https?:/i.test(part.href)) {
      writeAs(writing, { type: "text_link", url: part.href }, () => writeInline(writing, part.tokens));
    } else writePlain(writing, is(part, "escape") ? part.text : part.raw);
  }
}

function writePlain(writing: Writing, text: string): void {
  if (text === "") return;
  writing.text += joint(writing, breakMentions(text)) + breakMentions(text);
}

function writeAs(writing: Writing, form: Form, write: () => void): void {
  writing.text += joint(writing, "x");
  const offset = writing.text.length;
  // An outer form comes before those inside of it.
  const at = writing.entities.length;
  write();
  writing.entities.splice(at, 0, { ...form, offset, length: writing.text.trimEnd().length - offset });
}

/** Between an `@` and what follows it. */
function joint({ text }: Writing, next: string): string {
  return text.endsWith("@") && /^\S/.test(next) ? ZERO_WIDTH_SPACE : "";
}

/** Ends what was written by as many newlines as its source. */
function endLine(writing: Writing, raw: string): void {
  writing.text = writing.text.trimEnd() + newlinesAfter(raw);
}

function newlinesAfter(text: string): string {
  return text.slice(text.trimEnd().length).replaceAll(/[^\n]/g, "");
}

function is<Type extends MarkedToken["type"]>(
  token: Token,
  type: Type,
): token is Extract<MarkedToken, { readonly type: Type }> {
  return token.type === type;
}
