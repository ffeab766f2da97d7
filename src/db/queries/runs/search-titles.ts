import { idRangeOf, keywordsOf } from "#domain/runs/run-list.ts";
import type { Transaction } from "../../database.ts";
import { statement } from "../../statement.ts";

/** Adds a value to a statement's parameters; returns its placeholder. */
export type Bind = (value: unknown) => string;

/** The number of runs that the word index finds for a search. */
const MAX_FOUND = 1_000;

const FIND_TITLES = statement({
  name: "find-titles",
  text: `
    select find_titles(to_tsquery('simple', $1), $2, coalesce($3::text::timestamptz, 'infinity'),
      coalesce($4::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff')) as found`,
});

/** The start of the next page: after this row. */
export interface RunPosition {
  /** The row's sort value in PostgreSQL's text form. */
  readonly key: string;
  readonly id: string;
}

/** How a text is searched: by words, which the word index may have found already, and by the beginning of ids. */
export interface Search {
  readonly words: string | undefined;
  /** The newest runs with these words; undefined when a list finds them soon, because many titles have them. */
  readonly found: readonly string[] | undefined;
  /** Whether the search finds all runs as it is. */
  readonly isComplete: boolean;
  readonly ids: ReturnType<typeof idRangeOf>;
}

/** Searches titles by the word index. @param after only runs that are older than this one */
export async function searchTitles(tx: Transaction, q: string, after?: RunPosition): Promise<Search> {
  const words = keywordsOf(q)
    .map((word) => `${word}:*`)
    .join(" & ");
  const ids = idRangeOf(q);
  if (words === "") return { words: undefined, found: undefined, isComplete: true, ids };
  const [row] = await tx.query<{ found: string[] | null }>(FIND_TITLES, [words, MAX_FOUND + 1, after?.key, after?.id]);
  const found = row?.found ?? undefined;
  return { words, found, isComplete: found === undefined || found.length <= MAX_FOUND, ids };
}

/** The same search by words only, in the order of the list: slow for rare words. */
export function byWords(search: Search): Search {
  return { ...search, found: undefined, isComplete: true };
}

/** SQL: whether a row `t` matches a search. */
export function searchText({ words, found, ids }: Search, bind: Bind): string {
  const either = [
    ...(words !== undefined && found === undefined ? [`t.title_search @@ to_tsquery('simple', ${bind(words)})`] : []),
    ...(found !== undefined && found.length > 0 ? [`t.id = any(${bind(found)}::uuid[])`] : []),
    ...(ids === undefined ? [] : [`t.id between ${bind(ids.first)}::uuid and ${bind(ids.last)}::uuid`]),
  ];
  return either.length === 0 ? "false" : `(${either.join(" or ")})`;
}
