import { readFileSync } from "node:fs";
import { lexer } from "marked";
import type { Token, Tokens } from "marked";

/** The languages of blocks that are executed. */
export const RUNNABLE = ["sh", "ts", "python"] as const;
const OUTPUT = new Set(["json", "text"]);
const NOT_RUN = /^<!-- not run: (.+?) -->/;
/** "Save it as `route.json`:" */
const SAVED_AS = /\bas `([\w.-]+)`[^`]*:$/;

/** A block of a page that is executed, or that says why not. */
export interface RunnableBlock {
  readonly kind: "run";
  readonly lang: (typeof RUNNABLE)[number];
  readonly text: string;
  /** What the page shows below it as its output. */
  readonly shown: { readonly lang: string; readonly text: string } | undefined;
  /** Why it cannot be executed here. */
  readonly notRun: string | undefined;
}

/** A block that the reader should save as a file. */
export interface FileBlock {
  readonly kind: "file";
  readonly name: string;
  readonly text: string;
}

/** What a page asks its reader to do, in order. */
export type PageBlock = RunnableBlock | FileBlock;

/**
 * Reads the blocks of a Markdown page that are executed or saved.
 *
 * - `sh`, `ts` and `python` blocks are executed, except those below a comment `<!-- not run: the reason -->`.
 * - A `json` or `text` block directly below one is its output.
 * - Any other block below a sentence that ends in "as `name`:" is a file.
 */
export function readPage(path: string): readonly PageBlock[] {
  const tokens = flatten(lexer(readFileSync(path, "utf8"))).filter(({ type }) => type !== "space");
  return tokens.flatMap((token, index): PageBlock[] => {
    if (!isCode(token)) return [];
    const [before, after] = [tokens[index - 1], tokens[index + 1]];
    const lang = RUNNABLE.find((one) => one === token.lang);
    if (lang === undefined) {
      const [, name] = before?.type === "code" ? [] : (SAVED_AS.exec(before?.raw.trim() ?? "") ?? []);
      return name === undefined ? [] : [{ kind: "file", name, text: token.text }];
    }
    const [, notRun] = NOT_RUN.exec(before?.raw ?? "") ?? [];
    return [{ kind: "run", lang, text: token.text, shown: outputIn(after), notRun }];
  });
}

/** Blocks inside lists count as well. */
function flatten(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token) => (isList(token) ? token.items.flatMap((item) => flatten(item.tokens)) : [token]));
}

function outputIn(token: Token | undefined): RunnableBlock["shown"] {
  if (token === undefined || !isCode(token)) return undefined;
  const { lang = "", text } = token;
  return OUTPUT.has(lang) ? { lang, text } : undefined;
}

function isCode(token: Token): token is Tokens.Code {
  return token.type === "code";
}

function isList(token: Token): token is Tokens.List {
  return token.type === "list";
}
