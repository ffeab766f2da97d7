/**
 * Waits until all promises have settled, then returns their values or throws the first error. Unlike Promise.all, no
 * work continues after it returns.
 */
export async function allSettledOrThrow<const T extends readonly unknown[]>(
  promises: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  await Promise.allSettled(promises);
  return Promise.all(promises);
}
