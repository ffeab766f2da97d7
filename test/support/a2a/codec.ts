import { isDeepStrictEqual } from "node:util";

/** A codec of the official SDK, which its authors generate from the protocol's definition. */
interface Codec<T> {
  fromJSON(value: unknown): T;
  toJSON(message: T): unknown;
}

/**
 * Whether a value is what a codec makes of it: a field that the protocol does not know, a wrong state or a wrong type
 * would be lost or changed. Values that the protocol leaves out (empty texts and lists, false, 0) count as absent.
 */
export function isLossless<T>({ fromJSON, toJSON }: Codec<T>, value: unknown): boolean {
  return isDeepStrictEqual(withoutDefaults(toJSON(fromJSON(value))), withoutDefaults(value));
}

function withoutDefaults(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDefaults);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => (isDefault(field) ? [] : [[name, withoutDefaults(field)]])),
  );
}

function isDefault(value: unknown): boolean {
  return value === "" || value === false || value === 0 || (Array.isArray(value) && value.length === 0);
}
