import { isRecord } from "#lib/is-record.ts";

/** Returns a value in which every text at one of these places is replaced; `*` in a place is any item or field. */
export function mapTexts(
  value: unknown,
  places: readonly { readonly at: string }[],
  replace: (text: string, path: string, place: number) => unknown,
): unknown {
  const split = places.map(({ at }, place) => ({ parts: at.split("."), place }));
  return walk(value, [], split, replace);
}

interface Place {
  readonly parts: readonly string[];
  readonly place: number;
}

function walk(
  value: unknown,
  path: readonly string[],
  places: readonly Place[],
  replace: (text: string, path: string, place: number) => unknown,
): unknown {
  const fitting = places.filter(({ parts }) => parts.length > path.length || typeof value === "string");
  if (fitting.length === 0) return value;
  if (typeof value === "string") {
    const here = fitting.find(({ parts }) => parts.length === path.length);
    return here === undefined ? value : replace(value, path.join("."), here.place);
  }
  const below = (key: string, item: unknown) =>
    walk(
      item,
      [...path, key],
      fitting.filter(({ parts }) => parts[path.length] === "*" || parts[path.length] === key),
      replace,
    );
  if (Array.isArray(value)) return value.map((item, index) => below(String(index), item));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, below(key, item)]));
}
