import { LRUCache } from "lru-cache";

/** How long a value is kept if the notification of its change is lost, in milliseconds. */
const TTL_MS = 30_000;

/** Values that are read once and kept. */
export interface CachedRead<T> {
  /** Returns a kept value, or reads it; concurrent callers share one read. */
  read(key: string): Promise<T>;
  /** Evicts a value that has changed. */
  evict(key: string): void;
  /** Evicts all values: notifications may have been missed. */
  clear(): void;
}

/**
 * Keeps what `read` returns for {@link TTL_MS}, for the `max` keys used last. It keeps neither failures nor undefined,
 * because what is missing now may be there soon.
 */
export function cachedRead<T>(max: number, read: (key: string) => Promise<T>): CachedRead<T> {
  const kept = new LRUCache<string, Promise<T>>({ max, ttl: TTL_MS });
  return {
    read(key) {
      const known = kept.get(key);
      if (known !== undefined) return known;
      const fresh = read(key);
      // Kept before it is there, so that a change during the read still evicts it.
      kept.set(key, fresh);
      const drop = () => {
        if (kept.peek(key) === fresh) kept.delete(key);
      };
      fresh.then((value) => value ?? drop(), drop);
      return fresh;
    },
    evict: (key) => void kept.delete(key),
    clear: () => kept.clear(),
  };
}
