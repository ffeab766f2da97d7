/**
 * Waits until all promises have settled, then gives their values or throws the first failure.
 * Unlike Promise.all it never returns while some of the work is still continuing.
 */
export async function allSettledOrThrow<const T extends readonly unknown[]>(
  promises: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
