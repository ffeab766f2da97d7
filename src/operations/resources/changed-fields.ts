import { isDeepStrictEqual } from "node:util";
import { isRecord } from "#lib/is-record.ts";

/** A field that differs. */
export interface ChangedField {
  readonly path: string;
  /** null for none. */
  readonly before: unknown;
  readonly after: unknown;
}

/** Returns the innermost fields that differ; lists of different lengths or of plain values differ as a whole. */
export function changedFields(before: unknown, after: unknown, path: string): readonly ChangedField[] {
  if (isDeepStrictEqual(before ?? null, after ?? null)) return [];
  if (isRecord(before) && isRecord(after)) {
    const names = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...names].flatMap((name) => changedFields(before[name], after[name], `${path}.${name}`));
  }
  if (isListOfFields(before) && isListOfFields(after) && before.length === after.length) {
    return before.flatMap((item, index) => changedFields(item, after[index], `${path}.${index}`));
  }
  return [{ path, before: before ?? null, after: after ?? null }];
}

function isListOfFields(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.every(isRecord);
}
