import { diffLines } from "#lib/text/line-diff.ts";
import type { DiffLine } from "#lib/text/line-diff.ts";

/** What of an agent shapes its runs, by field; the database function `agent_version_fields` decides what that is. */
export type VersionFields = Readonly<Record<string, unknown>>;

/** How a field differs between two versions. */
export interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
  /** For texts of several lines: which of them. */
  readonly lines?: readonly DiffLine[];
}

/** The fields in which two versions differ, in the order of their names. */
export function diffVersions(before: VersionFields, after: VersionFields): readonly FieldChange[] {
  const fields = [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted();
  return fields
    .map((field): FieldChange => changeOf(field, before[field] ?? null, after[field] ?? null))
    .filter((change) => JSON.stringify(change.before) !== JSON.stringify(change.after));
}

function changeOf(field: string, before: unknown, after: unknown): FieldChange {
  const isText = typeof before === "string" && typeof after === "string" && /\n/.test(before + after);
  return { field, before, after, ...(isText && before !== after && { lines: diffLines(before, after) }) };
}
