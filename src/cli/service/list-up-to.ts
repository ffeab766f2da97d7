import type { Page } from "#client/index.ts";

/** The maximum page size of the service. */
const MAX_PAGE = 200;

/** Records of a list, and whether there are more. */
export interface Listed<Item> {
  readonly items: readonly Item[];
  readonly hasMore: boolean;
}

/**
 * Reads a list page by page, up to a number of records.
 * @param limit the maximum number of records; may be Infinity
 * @param read reads the first page of this maximum size
 */
export async function listUpTo<Item>(
  limit: number,
  read: (size: number) => Promise<Page<Item>>,
): Promise<Listed<Item>> {
  const items: Item[] = [];
  let page: Page<Item> | undefined = await read(Math.min(limit, MAX_PAGE));
  while (page !== undefined) {
    items.push(...page.items);
    if (items.length >= limit) return { items: items.slice(0, limit), hasMore: items.length > limit || page.hasMore };
    page = await page.next();
  }
  return { items, hasMore: false };
}
