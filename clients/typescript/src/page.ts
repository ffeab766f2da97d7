/** A page of a list, newest first. Iterating over it yields its items and those of all following pages. */
export interface Page<Item> extends AsyncIterable<Item> {
  readonly items: readonly Item[];
  /** Whether there is another page. */
  readonly hasMore: boolean;
  /** The parameter `cursor` of the next page, for a program that continues later. */
  readonly cursor: string | undefined;
  /** Reads the next page; undefined when this is the last one. */
  next(): Promise<Page<Item> | undefined>;
}

/** The body of a list: records, or records with a cursor. */
type ListBody<Item> = readonly Item[] | { readonly items: readonly Item[]; readonly next_cursor?: string | null };

/** Creates a page from the body of a list. @param read reads the list after a cursor */
export function pageOf<Item>(
  body: ListBody<Item>,
  link: string | null,
  read: (cursor: string) => Promise<Page<Item>>,
): Page<Item> {
  const items = "items" in body ? body.items : body;
  const cursor = "items" in body ? (body.next_cursor ?? undefined) : cursorIn(link);
  const next = async () => (cursor === undefined ? undefined : read(cursor));
  return {
    items,
    hasMore: cursor !== undefined,
    cursor,
    next,
    async *[Symbol.asyncIterator]() {
      yield* items;
      const following = await next();
      if (following !== undefined) yield* following;
    },
  };
}

function cursorIn(link: string | null): string | undefined {
  const [, target] = /<([^<>]*)>; rel="next"/.exec(link ?? "") ?? [];
  return target === undefined ? undefined : (new URL(target, "http://x").searchParams.get("cursor") ?? undefined);
}
