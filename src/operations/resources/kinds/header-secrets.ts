import type { Headers } from "../../tools/stored-headers.ts";

/** Returns the values of stored headers by their paths in a document. */
export function headerSecrets(headers: Headers = {}): ReadonlyMap<string, string> {
  return new Map(Object.entries(headers).map(([name, value]) => [`headers.${name}`, value]));
}
