/** Reads `?status=failed&status=running&q=x`: repeated keys become lists. */
export function parseSearch(text: string): Record<string, string | string[]> {
  const search: Record<string, string | string[]> = {};
  for (const [key, value] of new URLSearchParams(text)) {
    const before = search[key];
    search[key] = before === undefined ? value : typeof before === "string" ? [before, value] : [...before, value];
  }
  return search;
}

/** Writes what {@link parseSearch} reads; parameters without a value are left out. */
export function stringifySearch(search: Record<string, unknown>): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(search)) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each !== undefined && each !== null && each !== "") params.append(key, String(each));
    }
  }
  const text = params.toString();
  return text === "" ? "" : `?${text}`;
}

/** One of the allowed values of a parameter, or undefined. */
export function oneOf<T extends string>(value: unknown, allowed: readonly T[]): T | undefined {
  return allowed.find((each) => each === value);
}

/** All allowed values of a repeated parameter; undefined when there is none. */
export function someOf<T extends string>(value: unknown, allowed: readonly T[]): readonly T[] | undefined {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  const known = allowed.filter((each) => given.includes(each));
  return known.length === 0 ? undefined : known;
}

/** All texts of a repeated parameter that are not empty; undefined when there is none. */
export function textsOf(value: unknown): readonly string[] | undefined {
  const given: readonly unknown[] = Array.isArray(value) ? value : [value];
  const texts = given.flatMap((each) => textOf(each) ?? []);
  return texts.length === 0 ? undefined : texts;
}

/** A parameter that is a text and not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** A parameter that is a number of at least 0. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === "string" || typeof value === "number" ? Number(value) : Number.NaN;
  return Number.isFinite(number) && number >= 0 ? number : undefined;
}
