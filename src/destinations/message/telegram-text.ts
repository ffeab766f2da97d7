import { closesFence, fenceAt } from "./fences.ts";
import { breakMentions } from "./mentions.ts";

/** The form of a part of a text, in UTF-16 units (https://core.telegram.org/bots/api#messageentity). */
export interface TelegramEntity {
  readonly type: "bold" | "italic" | "strikethrough" | "code" | "pre" | "text_link";
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

/** Telegram ignores more. */
const MAX_ENTITIES = 100;
const ZERO_WIDTH_SPACE = "\u200b";
const HEADING = /^#{1,6}[ \t]+(?=\S)/;
const BULLET = /^([ \t]*)[-*+] (?=\S)/;
const TABLE_ROW = /^[ \t]*\|.*\|[ \t]*$/;
const LINK = /\[([^[\]\n]{1,500})\]\((https?:\/\/[^\s()<>]{1,1000})\)/y;
const PUNCTUATION = /[!-/:-@[-`{-~]/;
const WORD = /[\p{L}\p{N}]/u;
/** The marks of emphasis, longer ones first. */
const MARKS = [
  ["**", "bold"],
  ["__", "bold"],
  ["~~", "strikethrough"],
  ["*", "italic"],
  ["_", "italic"],
] as const;

/**
 * Markdown as Telegram shows it: code, emphasis, headings, lists and links; what it has no form for stays as it is
 * written. No text mentions anybody; code keeps its own.
 */
export function telegramText(markdown: string): TelegramText {
  const writing: Writing = { text: "", entities: [] };
  const lines = markdown.split("\n");
  for (let at = 0; at < lines.length; at++) {
    if (at > 0) writing.text += "\n";
    const end = endOfBlock(lines, at);
    if (end > at) {
      writeBlock(writing, lines.slice(at, end));
      at = end - 1;
    } else writeLine(writing, lines[at] ?? "");
  }
  if (writing.text.trim() === "") return { text: breakMentions(markdown), entities: [] };
  const entities = writing.entities.filter(({ length }) => length > 0);
  return { text: writing.text, entities: entities.slice(0, MAX_ENTITIES) };
}

interface Writing {
  text: string;
  readonly entities: TelegramEntity[];
}

/** The line after a code block or a table that begins here; the same line when none does. */
function endOfBlock(lines: readonly string[], at: number): number {
  const fence = fenceAt(lines[at] ?? "");
  let end = at;
  if (fence === undefined) {
    while (TABLE_ROW.test(lines[end] ?? "")) end += 1;
    return end > at + 1 ? end : at;
  }
  for (end = at + 1; end < lines.length; end++) if (closesFence(lines[end] ?? "", fence)) return end + 1;
  return end;
}

/** Writes a code block without its fences, or a table, whose columns stand below each other. */
function writeBlock(writing: Writing, lines: readonly string[]): void {
  const [first = "", ...rest] = lines;
  const fence = fenceAt(first);
  const isClosed = fence !== undefined && closesFence(rest.at(-1) ?? "", fence);
  const inside = fence === undefined ? lines : rest.slice(0, isClosed ? -1 : undefined);
  const language = fence?.language ?? "";
  const form: Form = { type: "pre", ...(language !== "" && { language }) };
  writeAs(writing, form, () => (writing.text += inside.join("\n")));
}

function writeLine(writing: Writing, line: string): void {
  const [heading] = HEADING.exec(line) ?? [];
  if (heading !== undefined) {
    const title = line.slice(heading.length);
    return writeAs(writing, { type: "bold" }, () => writeInline(writing, title));
  }
  const [bullet, indent = ""] = BULLET.exec(line) ?? [];
  writePlain(writing, bullet === undefined ? "" : `${indent}• `);
  writeInline(writing, line.slice(bullet?.length ?? 0));
}

function writeInline(writing: Writing, line: string): void {
  let plain = 0;
  const unclosed = new Set<string>();
  for (let at = 0; at < line.length;) {
    const found = formAt({ line, at, unclosed });
    if (found === undefined) {
      at += 1;
      continue;
    }
    writePlain(writing, line.slice(plain, at));
    const { form, inside, end } = found;
    if (form === undefined) writePlain(writing, inside);
    else if (form.type === "code") writeAs(writing, form, () => (writing.text += inside));
    else writeAs(writing, form, () => writeInline(writing, inside));
    at = end;
    plain = end;
  }
  writePlain(writing, line.slice(plain));
}

interface Found {
  /** Absent for a character that stands for itself. */
  readonly form?: Form;
  readonly inside: string;
  readonly end: number;
}

interface Place {
  readonly line: string;
  readonly at: number;
  /** The marks that nothing after an earlier one closes; they are not searched again. */
  readonly unclosed: Set<string>;
}

/** The part of a line with a form of its own that begins at a position. */
function formAt(place: Place): Found | undefined {
  const { line, at } = place;
  switch (line[at]) {
    case "\\": {
      const next = line[at + 1] ?? "";
      return PUNCTUATION.test(next) ? { inside: next, end: at + 2 } : undefined;
    }
    case "`":
      return codeAt(place);
    case "[": {
      LINK.lastIndex = at;
      const [whole, inside = "", url = ""] = LINK.exec(line) ?? [];
      return whole === undefined ? undefined : { form: { type: "text_link", url }, inside, end: at + whole.length };
    }
    case "*":
    case "_":
    case "~":
      return emphasisAt(place);
    default:
      return undefined;
  }
}

function codeAt({ line, at, unclosed }: Place): Found | undefined {
  if (line[at - 1] === "`") return undefined;
  let start = at;
  while (line[start] === "`") start += 1;
  const mark = line.slice(at, start);
  if (unclosed.has(mark)) return undefined;
  for (let end = line.indexOf(mark, start); end !== -1; end = line.indexOf(mark, end)) {
    const first = end;
    while (line[end] === "`") end += 1;
    if (end - first === mark.length) return { form: { type: "code" }, inside: line.slice(start, first).trim(), end };
  }
  unclosed.add(mark);
  return undefined;
}

function emphasisAt({ line, at, unclosed }: Place): Found | undefined {
  const [mark, type] = MARKS.find(([each]) => line.startsWith(each, at)) ?? [];
  if (mark === undefined || type === undefined || unclosed.has(mark)) return undefined;
  const start = at + mark.length;
  const isInWord = (place: number) => mark.startsWith("_") && WORD.test(line[place] ?? "");
  if (/\s/.test(line[start] ?? " ") || isInWord(at - 1)) return undefined;
  for (let end = line.indexOf(mark, start + 1); end !== -1; end = line.indexOf(mark, end + 1)) {
    const first = end;
    // Of a longer run of the same mark, the last ones close.
    while (line[end + mark.length] === mark[0]) end += 1;
    const isOther = mark.length === 1 && (end > first || line[end - 1] === mark);
    const after = end + mark.length;
    if (/\s/.test(line[first - 1] ?? "") || isOther || isInWord(after)) continue;
    return { form: { type }, inside: line.slice(start, end), end: after };
  }
  unclosed.add(mark);
  return undefined;
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
  writing.entities.splice(at, 0, { ...form, offset, length: writing.text.length - offset });
}

/** Between an `@` and what follows it. */
function joint({ text }: Writing, next: string): string {
  return text.endsWith("@") && /^\S/.test(next) ? ZERO_WIDTH_SPACE : "";
}
