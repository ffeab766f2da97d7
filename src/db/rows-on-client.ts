import type { Client } from "pg";
import type { StatementOf } from "./statement.ts";

/**
 * Runs one statement on a connection of its own, outside of the pools, and returns its rows. `Row` is checked as in
 * `Database.query`.
 */
export async function rowsOnClient<Row extends object>(
  client: Client,
  { text }: StatementOf<Row>,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const { rows } = await client.query<Row>(text, [...values]);
  return rows;
}

/** A connection of its own as a source of rows, for queries that take one. */
export function queriesOn(client: Client) {
  return {
    query: <Row extends object>(statement: StatementOf<Row>, values: readonly unknown[] = []) =>
      rowsOnClient(client, statement, values),
  };
}
