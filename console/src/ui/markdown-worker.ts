import { lexer } from "marked";
import type { Token } from "marked";

/** A document has a few levels; drawing hundreds could exhaust the stack of the page. */
const MAX_LEVELS = 100;
/** The page takes about a second to draw so many elements. */
const MAX_NODES = 30_000;

/** The blocks of a text, or null for a text that is better shown as it was written. */
export type Parsed = readonly Token[] | null;

/** What the page gets: that the parser is loaded, and then each text it sent, in order. */
export type ParserMessage = "ready" | Parsed;

addEventListener("message", ({ data }: MessageEvent<string>) => send(parse(data)));
send("ready");

function send(message: ParserMessage): void {
  postMessage(message);
}

function parse(text: string): Parsed {
  try {
    const blocks = lexer(text, { gfm: true });
    return isDrawable(blocks) ? blocks : null;
  } catch {
    // Deep nesting exhausts the parser's stack.
    return null;
  }
}

/** Walks the tree level by level, so that no depth exhausts the stack here, too. */
function isDrawable(blocks: readonly Token[]): boolean {
  let level: readonly object[] = blocks;
  let [levels, nodes] = [0, 0];
  while (level.length > 0) {
    levels += 1;
    nodes += level.length;
    if (levels > MAX_LEVELS || nodes > MAX_NODES) return false;
    level = level.flatMap((node) => Object.values(node).filter(isObject));
  }
  return true;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
