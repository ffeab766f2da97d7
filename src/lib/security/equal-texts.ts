import { timingSafeEqual } from "node:crypto";

/**
 * True if two texts are equal; compares in constant time. Signatures are compared as texts, not as the bytes that they
 * encode: Base64 has several texts for the same bytes.
 */
export function areEqual(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
