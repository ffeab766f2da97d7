import type { Described, NarrowedRow } from "./row-types.ts";
import type { StatementRows } from "./gen/rows.ts";

/**
 * A named statement, which each connection prepares once, and the description of its rows. Declare it with
 * {@link statement}. Call the constructor only for a statement whose text is composed at run time, or which needs
 * something that a fresh database does not have: its `Row` is not checked.
 */
export class Statement<Row = object> {
  readonly name: string;
  readonly text: string;
  /** What PostgreSQL says of the rows; exists for the compiler only. */
  declare readonly row: Row;

  constructor({ name, text }: { readonly name: string; readonly text: string }) {
    this.name = name;
    this.text = text;
  }
}

/** A statement whose rows can be read as `Row`. */
export type StatementOf<Row> = Statement<Described<NoInfer<Row>>>;

const all = new Map<string, Statement<unknown>>();

/**
 * Declares a statement. `gen/rows.ts` has PostgreSQL's description of its rows, by its name. Run `npm run gen:schema`
 * after adding a statement or changing its text. Throws when the name is taken.
 */
export function statement<
  const Name extends keyof StatementRows,
  const Narrowed extends keyof StatementRows[Name] = never,
>(definition: {
  readonly name: Name;
  /** Columns for which the text excludes null, or some of the values that the table allows; usually by a `where`. */
  readonly narrows?: readonly Narrowed[];
  readonly text: string;
}): Statement<NarrowedRow<StatementRows[Name], Narrowed>> {
  const declared = new Statement<NarrowedRow<StatementRows[Name], Narrowed>>(definition);
  if (all.has(definition.name)) throw new Error(`Two statements have the name ${definition.name}.`);
  all.set(definition.name, declared);
  return declared;
}

/** The statements declared in the modules loaded so far, in the order of their names. */
export function declaredStatements(): readonly Statement<unknown>[] {
  return [...all.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
