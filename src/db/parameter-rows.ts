/** The columns of rows that a statement takes as parameters: each its SQL type, and its value in a row. */
type Columns<Row> = Readonly<Record<string, readonly [type: string, valueOf: (row: Row) => unknown]>>;

/** Rows as the first parameters of a statement, one array for each column. */
export interface ParameterRows<Row> {
  /** SQL for a `from`: the rows with their columns, and `n`, their place from 1. */
  readonly from: string;
  /** The values of the parameters. */
  values(rows: readonly Row[]): unknown[];
}

/**
 * Describes rows that a statement takes as parameters. Arrays cost a fraction of a JSON text that PostgreSQL parses.
 * @param alias the name of the rows in the statement
 */
export function parameterRows<Row>(alias: string, columns: Columns<Row>): ParameterRows<Row> {
  const names = Object.keys(columns);
  const entries = Object.values(columns);
  const arrays = entries.map(([type], index) => `$${index + 1}::${type}[]`);
  return {
    from: `rows from (unnest(${arrays.join(", ")})) with ordinality as ${alias} (${[...names, "n"].join(", ")})`,
    values: (rows) => entries.map(([, valueOf]) => rows.map(valueOf)),
  };
}
