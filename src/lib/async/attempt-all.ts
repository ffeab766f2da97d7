import { createSemaphore } from "./semaphore.ts";

/**
 * Does something for each item, a few at once, and continues when it fails for one.
 * @returns how many times the work gave true
 * @throws the first failure, when all are through
 */
export async function attemptAll<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<boolean>,
): Promise<number> {
  const places = createSemaphore(atOnce);
  const results = await Promise.allSettled(items.map((item) => places.run(() => work(item))));
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return results.filter((result) => result.status === "fulfilled" && result.value).length;
}
