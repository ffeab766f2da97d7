import type { Unit } from "./truncate.ts";

/** Between `@` and a name: invisible, and no vendor takes what follows for a mention. */
const ZERO_WIDTH_SPACE = "\u200b";
/** An `@` that is not in an e-mail address, also as an HTML entity. */
const AT = /(?:(?<![A-Za-z0-9])@|&#0*64;|&#x0*40;|&commat;)(?=\S)/gi;
/** What lists and quotes put before a line. */
const MARKERS = String.raw`[\s>*+\-\d.)]*`;
const FENCE = /^( {0,3})(`{3,}|~{3,})/;
const ANY_FENCE = new RegExp(`^${MARKERS}(?:\`{3}|~{3})`);
const HTML = new RegExp(`^${MARKERS}<`);
/** A code span within its line and table cell, or the first character that makes the rest of a block uncertain. */
const SPAN = /(?<!`)(`+)(?!`)[^`|\n]+(?<!`)\1(?!`)|[`<\\]/g;

/** The size of a text after {@link breakMentions}, at most. */
export const WITH_BREAKS: Unit = (codePoint) => (codePoint === 0x40 || codePoint === 0x26 ? 2 : 1);

/** A text in which no `@` mentions anyone. */
export function breakMentions(text: string): string {
  return text.replaceAll(AT, (at) => at + ZERO_WIDTH_SPACE);
}

interface Reading {
  /** The open fence. */
  fence: { readonly indent: number; readonly mark: string } | undefined;
  /** Until the next blank line, backticks may belong to what began before. */
  isBlockUncertain: boolean;
  /** From here on, fences may belong to a list, a quote or HTML. */
  isUncertain: boolean;
}

/**
 * The same for Markdown, whose code keeps its text. Only what is code beyond doubt counts as code: a mention notifies
 * strangers, while an invisible space does little harm to an example.
 */
export function breakMarkdownMentions(text: string): string {
  const reading: Reading = { fence: undefined, isBlockUncertain: false, isUncertain: false };
  return text
    .split("\n")
    .map((line) => (isFenced(reading, line) ? line : breakOutsideSpans(reading, line)))
    .join("\n");
}

/** Whether a line is part of a fenced block (https://spec.commonmark.org/0.31.2/#fenced-code-blocks). */
function isFenced(reading: Reading, line: string): boolean {
  const { fence } = reading;
  if (reading.isUncertain) return false;
  if (fence === undefined) {
    const [opening, indent = "", mark = ""] = FENCE.exec(line) ?? [];
    if (opening === undefined || line.slice(opening.length).includes("`")) {
      reading.isUncertain = ANY_FENCE.test(line) || HTML.test(line);
      return false;
    }
    reading.fence = { indent: indent.length, mark };
    reading.isBlockUncertain = false;
    return true;
  }
  if (isClosing(line, fence.mark)) reading.fence = undefined;
  // The end of a list item closes its fence; without a list, the fence stays open.
  else if (/\S/.test(line) && line.search(/\S/) < fence.indent) reading.isUncertain = true;
  else if (ANY_FENCE.test(line)) reading.isUncertain = !FENCE.test(line);
  return !reading.isUncertain;
}

function isClosing(line: string, mark: string): boolean {
  const found = FENCE.exec(line);
  return found?.[2]?.startsWith(mark) === true && line.slice(found[0].length).trim() === "";
}

function breakOutsideSpans(reading: Reading, line: string): string {
  if (line.trim() === "") reading.isBlockUncertain = false;
  if (reading.isBlockUncertain) return breakMentions(line);
  let [end, broken] = [0, ""];
  for (const { 0: found, index } of line.matchAll(SPAN)) {
    if (found.length === 1) {
      reading.isBlockUncertain = true;
      break;
    }
    broken += breakMentions(line.slice(end, index)) + found;
    end = index + found.length;
  }
  return broken + breakMentions(line.slice(end));
}
