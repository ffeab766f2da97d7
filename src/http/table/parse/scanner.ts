import { badQuery } from "../errors.ts";

/** The name of a column, table or alias: letters, digits, `_`, `$`, spaces and single hyphens. */
const NAME = /(?:[\p{L}\p{N}_$ ]|-(?!>))+/uy;
const BLANKS = / */uy;
const QUOTED = /"((?:[^"\\]|\\.)*)"/suy;

/** Scans one parameter of a query string. */
export class Scanner {
  readonly #what: string;
  readonly #text: string;
  #at = 0;

  /** @param what the name of the parameter in errors, as in "failed to parse filter". */
  constructor(what: string, text: string) {
    this.#what = what;
    this.#text = text;
  }

  /** Returns whether this literal is next. */
  sees(literal: string): boolean {
    return this.#text.startsWith(literal, this.#at);
  }

  /** Skips this literal if it is next; returns whether it was. */
  accept(literal: string): boolean {
    const found = this.sees(literal);
    if (found) this.#at += literal.length;
    return found;
  }

  /** Skips this literal. @throws TableError PGRST100 when it is not next. */
  expect(literal: string): void {
    if (!this.accept(literal)) this.fail(JSON.stringify(literal));
  }

  /** Skips the match of a sticky expression; returns its first group, or else all of it. */
  match(sticky: RegExp): string | undefined {
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#text);
    if (found === null) return undefined;
    this.#at = sticky.lastIndex;
    return found[1] ?? found[0];
  }

  /** Skips spaces, if any. */
  skipBlanks(): void {
    this.match(BLANKS);
  }

  /** Reads a text in double quotes, in which a backslash escapes the next character. */
  quoted(): string | undefined {
    return this.match(QUOTED)?.replaceAll(/\\(.)/gsu, "$1");
  }

  /** Reads a name, in double quotes or bare. @throws TableError PGRST100. */
  name(): string {
    return this.quoted() ?? this.match(NAME)?.trim() ?? this.fail("a name");
  }

  /** Returns the current position, for {@link reset}. */
  mark(): number {
    return this.#at;
  }

  /** Returns to a position. */
  reset(mark: number): void {
    this.#at = mark;
  }

  /** Returns the rest of the text. */
  rest(): string {
    const left = this.#text.slice(this.#at);
    this.#at = this.#text.length;
    return left;
  }

  /** Checks that the text has ended. @throws TableError PGRST100. */
  end(): void {
    if (this.#at < this.#text.length) this.fail("the end of the input");
  }

  /** @throws TableError PGRST100 with the current position. */
  fail(expecting: string): never {
    const next = this.#text.slice(this.#at, this.#at + 1);
    throw badQuery(
      `"failed to parse ${this.#what} (${this.#text})" (line 1, column ${this.#at + 1})`,
      `unexpected ${next === "" ? "end of input" : JSON.stringify(next)} expecting ${expecting}`,
    );
  }
}
