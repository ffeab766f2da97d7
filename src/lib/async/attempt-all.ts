import { createSemaphore } from "./semaphore.ts";

/**
 * Runs a function for each item, a few concurrently, and continues after errors.
 * @returns the sum of what the function returned, where true is 1
 * @throws the first error, after all items
 */
export async function attemptAll<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<number | boolean>,
): Promise<number> {
  const places = createSemaphore(atOnce);
  const results = await Promise.allSettled(items.map((item) => places.run(() => work(item))));
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return results.reduce((sum, result) => sum + (result.status === "fulfilled" ? Number(result.value) : 0), 0);
}
