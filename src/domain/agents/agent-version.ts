import { diffLines } from "#lib/text/line-diff.ts";
import type { DiffLine } from "#lib/text/line-diff.ts";

/** The fields of an agent that affect its runs; the database function `agent_version_fields` selects them. */
export type VersionFields = Readonly<Record<string, unknown>>;

/** The difference of a field between two versions. */
export interface FieldChange {
  readonly field: string;
  readonly before: unknown;
  readonly after: unknown;
  /** For multi-line texts: the differing lines. */
  readonly lines?: readonly DiffLine[];
}

/** Returns the fields that differ between two versions, ordered by name. */
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
