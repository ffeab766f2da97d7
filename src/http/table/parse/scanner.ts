import { badQuery } from "../errors.ts";

/** The name of a column, table or alias: letters, digits, `_`, `$`, spaces and single hyphens. */
const NAME = /(?:[\p{L}\p{N}_$ ]|-(?!>))+/uy;
const BLANKS = / */uy;
const QUOTED = /"((?:[^"\\]|\\.)*)"/suy;

/** Walks over one parameter of a query string. */
export class Scanner {
  readonly #what: string;
  readonly #text: string;
  #at = 0;

  /** @param what names the parameter in errors, as in "failed to parse filter". */
  constructor(what: string, text: string) {
    this.#what = what;
    this.#text = text;
  }

  /** Whether this comes next. */
  sees(literal: string): boolean {
    return this.#text.startsWith(literal, this.#at);
  }

  /** Walks over this if it comes next; returns whether it did. */
  accept(literal: string): boolean {
    const found = this.sees(literal);
    if (found) this.#at += literal.length;
    return found;
  }

  /** Walks over this. @throws TableError PGRST100 when something else comes next. */
  expect(literal: string): void {
    if (!this.accept(literal)) this.fail(JSON.stringify(literal));
  }

  /** Walks over what a sticky expression matches here; returns its first group, or else all of it. */
  match(sticky: RegExp): string | undefined {
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#text);
    if (found === null) return undefined;
    this.#at = sticky.lastIndex;
    return found[1] ?? found[0];
  }

  /** Walks over blanks, if any come next. */
  skipBlanks(): void {
    this.match(BLANKS);
  }

  /** A text in double quotes, in which a backslash takes the next character as it is. */
  quoted(): string | undefined {
    return this.match(QUOTED)?.replaceAll(/\\(.)/gsu, "$1");
  }

  /** A name, in double quotes or bare. @throws TableError PGRST100. */
  name(): string {
    return this.quoted() ?? this.match(NAME)?.trim() ?? this.fail("a name");
  }

  /** The place that was reached, for {@link reset}. */
  mark(): number {
    return this.#at;
  }

  /** Goes back to a place. */
  reset(mark: number): void {
    this.#at = mark;
  }

  /** Everything that is left. */
  rest(): string {
    const left = this.#text.slice(this.#at);
    this.#at = this.#text.length;
    return left;
  }

  /** Makes sure that nothing is left. @throws TableError PGRST100. */
  end(): void {
    if (this.#at < this.#text.length) this.fail("the end of the input");
  }

  /** @throws TableError PGRST100 with the place that was reached. */
  fail(expecting: string): never {
    const next = this.#text.slice(this.#at, this.#at + 1);
    throw badQuery(
      `"failed to parse ${this.#what} (${this.#text})" (line 1, column ${this.#at + 1})`,
      `unexpected ${next === "" ? "end of input" : JSON.stringify(next)} expecting ${expecting}`,
    );
  }
}
