/**
 * A part of a team's config. Fields that the page does not know are saved unchanged, and the server validates the
 * whole config.
 */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is an object with named fields. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text, or an empty one. */
export function textAt(fields: Fields, name: string): string {
  const value = fields[name];
  return typeof value === "string" ? value : "";
}

/** A number; `otherwise` when there is none. */
export function numberAt(fields: Fields, name: string, otherwise: number): number {
  const value = fields[name];
  return typeof value === "number" ? value : otherwise;
}

/** Yes or no; `otherwise` when there is neither. */
export function booleanAt(fields: Fields, name: string, otherwise: boolean): boolean {
  const value = fields[name];
  return typeof value === "boolean" ? value : otherwise;
}

/** Ids in a list. */
export function idsAt(fields: Fields, name: string): readonly string[] {
  const value = fields[name];
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

/** Objects in a list, such as the steps of a pipeline. */
export function listAt(fields: Fields, name: string): readonly Fields[] {
  const value = fields[name];
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** An object in an object; an empty one when there is none. */
export function fieldsAt(fields: Fields, name: string): Fields {
  const value = fields[name];
  return isFields(value) ? value : {};
}

/** The fields with some of them changed; `undefined` removes one. */
export function withFields(fields: Fields, change: Fields): Fields {
  return Object.fromEntries(Object.entries({ ...fields, ...change }).filter(([, value]) => value !== undefined));
}

/** A list with the element at `from` moved to `to`. */
export function moveItem<T>(list: readonly T[], from: number, to: number): readonly T[] {
  const rest = list.filter((_, index) => index !== from);
  return [...rest.slice(0, to), ...list.slice(from, from + 1), ...rest.slice(to)];
}
