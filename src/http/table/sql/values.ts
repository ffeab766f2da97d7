/** The values of a statement under construction. Client input reaches SQL only through here. */
export class Values {
  readonly #list: unknown[] = [];

  /** Adds a value and returns its placeholder. */
  add(value: string | number | null | readonly string[]): string {
    this.#list.push(value);
    return `$${this.#list.length}`;
  }

  /** All values, in the order of their placeholders. */
  get list(): readonly unknown[] {
    return this.#list;
  }
}
