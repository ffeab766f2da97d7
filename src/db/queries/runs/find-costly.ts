import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

/** The number of runs that the index of costs finds for a minimum. */
const MAX_FOUND = 5_000;

const FIND_COSTLY = statement({ name: "find-costly", text: "select find_costly($1, $2) as found" });

/** Finds the ended runs that cost at least this; undefined for very many, which a list finds soon in any order. */
export async function findCostly(tx: Transaction, least: number): Promise<readonly string[] | undefined> {
  const [row] = await tx.query<{ found: string[] | null }>(FIND_COSTLY, [least, MAX_FOUND]);
  return row?.found ?? undefined;
}
