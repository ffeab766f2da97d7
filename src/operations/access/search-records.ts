import type { Principal } from "#domain/access/principal.ts";
import * as rows from "#db/queries/access/record-search.ts";
import type { FoundRecord } from "#db/queries/access/record-search.ts";
import type { Services } from "../context.ts";

/** Finds records of the caller's workspace by name, title or id; see `searchRecords` of the queries. */
export function searchRecords({ db }: Pick<Services, "db">, who: Principal, q: string): Promise<FoundRecord[]> {
  return rows.searchRecords(db, who, q);
}
