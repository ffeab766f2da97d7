import type { Block } from "./block.ts";

/** Characters of a passage: some 250 tokens, a few paragraphs. */
const LENGTH = 1_000;
/** Characters that a passage repeats of the one before it, so that no thought is lost at the seam. */
const OVERLAP = 150;
const LONGEST_HEADING = 200;

/** A piece of a document that is found and shown as one. */
export interface Passage {
  readonly content: string;
  /** The headings under which it stands; null where there are none. */
  readonly heading: string | null;
  /** The page on which it begins, from 1; null where there are no pages. */
  readonly page: number | null;
}

/**
 * Cuts a document into passages, at the borders of its paragraphs where it can, else of sentences, else of words.
 * A heading begins a new one. Passages under one heading overlap.
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
      title = block.text.trim().slice(0, LONGEST_HEADING);
      continue;
    }
    for (const piece of splitText(clean(block.text))) {
      if (length > 0 && length + piece.length > LENGTH) {
        close();
        open = tailOf(open);
        length = open.reduce((sum, { text }) => sum + text.length, 0);
      }
      open.push({ ...block, text: piece });
      length += piece.length;
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

/** The end of a passage, as the next one repeats it: whole sentences, as many as there is room for. */
function tailOf(blocks: readonly Block[]): Block[] {
  const last = blocks.at(-1);
  if (last === undefined) return [];
  const tail = last.text.length <= OVERLAP ? last.text : endOf(last.text);
  return tail === "" ? [] : [{ ...last, text: tail }];
}

function endOf(text: string): string {
  const end = text.slice(-OVERLAP);
  const sentence = /[.!?…。]\s+(?=\S)/u.exec(end);
  if (sentence !== null) return end.slice(sentence.index + sentence[0].length);
  const word = end.search(/\s/);
  return word === -1 ? "" : end.slice(word + 1);
}

/** A text in pieces that fit into a passage with its overlap. */
function splitText(text: string): string[] {
  const most = LENGTH - OVERLAP;
  const pieces: string[] = [];
  let rest = text;
  while (rest.length > most) {
    const cut = cutOf(rest, most);
    pieces.push(rest.slice(0, cut).trimEnd());
    rest = rest.slice(cut).trimStart();
  }
  return rest === "" ? pieces : [...pieces, rest];
}

/** Where to cut: behind the last line, else sentence, else word that ends in the second half; never inside of a character. */
function cutOf(text: string, most: number): number {
  const head = text.slice(0, most);
  for (const border of [/\n(?!.*\n)/s, /[.!?…。]\s(?!.*[.!?…。]\s)/su, /\s(?!.*\s)/s]) {
    const at = head.search(border);
    if (at > most / 2) return at + 1;
  }
  return isHighSurrogate(text.charCodeAt(most - 1)) ? most - 1 : most;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
