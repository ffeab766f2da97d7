import type { Block } from "./block.ts";

/** The maximum characters of a passage: about 250 tokens, a few paragraphs. */
const LENGTH = 1_000;
/** The overlap of consecutive passages, in characters, so that no statement is split. */
const OVERLAP = 150;
/** The minimum characters left in a passage to begin a paragraph that must be split anyway. */
const MIN_REMAINING_LENGTH = 300;
const MAX_HEADING_LENGTH = 200;
/** Where a text may be split, after the first character of a match: lines, sentences, words. */
const BORDERS = [/\n/g, /[.!?…]\s|[。！？]/gu, /\s/g];

/** A piece of a document that a search returns as a whole. */
export interface Passage {
  readonly content: string;
  /** The headings above it; null without any. */
  readonly heading: string | null;
  /** The page of its beginning, from 1; null without pages. */
  readonly page: number | null;
}

/**
 * Splits a document into passages, preferably between paragraphs, then sentences, then words. A heading begins a new
 * passage. Passages under the same heading overlap.
 */
export function chunkBlocks(blocks: readonly Block[]): Passage[] {
  const passages: Passage[] = [];
  let title: string | null = null;
  let open: Block[] = [];
  let length = 0;
  const close = () => {
    if (open.length === 0) return;
    const content = open.map(({ text }) => text).join("\n\n");
    passages.push({ content, heading: title, page: open[0]?.page ?? null });
  };
  const closeSection = () => {
    const isBare = title !== null && open.length === 0 && passages.at(-1)?.heading !== title;
    if (isBare) passages.push({ content: title ?? "", heading: title, page: null });
    close();
    [open, length] = [[], 0];
  };
  for (const block of blocks) {
    if (block.kind === "heading") {
      closeSection();
      title = block.text.trim().slice(0, MAX_HEADING_LENGTH);
      continue;
    }
    let rest = clean(block.text);
    while (rest !== "") {
      const room = LENGTH - length;
      const isWhole = rest.length <= room;
      if (!isWhole && (rest.length <= LENGTH - OVERLAP || room < MIN_REMAINING_LENGTH)) {
        close();
        open = tailOf(open);
        length = open.reduce((sum, { text }) => sum + text.length, 0);
        continue;
      }
      const cut = isWhole ? rest.length : cutOf(rest, room);
      const piece = rest.slice(0, cut).trimEnd();
      open.push({ ...block, text: piece });
      length += piece.length;
      rest = rest.slice(cut).trimStart();
    }
  }
  closeSection();
  return passages;
}

function clean(text: string): string {
  return text
    .replaceAll(/[^\P{Cc}\n\t]/gu, " ")
    .toWellFormed()
    .replaceAll(/[ \t]+/g, " ")
    .trim();
}

/** The end of a passage that the next one repeats: as many whole sentences as fit. */
function tailOf(blocks: readonly Block[]): Block[] {
  const last = blocks.at(-1);
  if (last === undefined) return [];
  const tail = last.text.length <= OVERLAP ? last.text : endOf(last.text);
  return tail === "" ? [] : [{ ...last, text: tail }];
}

function endOf(text: string): string {
  const end = text.slice(-OVERLAP);
  const sentence = /[.!?…。]\s/u.exec(end);
  const rest = sentence === null ? "" : end.slice(sentence.index + 1).trimStart();
  if (rest !== "") return rest;
  const word = end.search(/\s/);
  return word === -1 ? "" : end.slice(word + 1);
}

/**
 * The position of a split: after the last line, sentence or word that ends in the second half; never inside a
 * character.
 */
function cutOf(text: string, most: number): number {
  const from = Math.floor(most / 2);
  const half = text.slice(from, most);
  for (const border of BORDERS) {
    const last = [...half.matchAll(border)].at(-1);
    if (last !== undefined) return from + last.index + 1;
  }
  return isHighSurrogate(text.charCodeAt(most - 1)) ? most - 1 : most;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
