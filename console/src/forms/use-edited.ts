import { useRef, useState } from "react";
import { Problem } from "../api/problem.ts";
import { changedFields, isSame } from "../lib/changed-fields.ts";

const MAX_SHOWN = 200;

/** A record in a form, and what a save may send of it. */
export interface Edited<T> {
  /** The record as it was when the form was opened; undefined for a new one. */
  readonly opened: T | undefined;
  /**
   * Returns the fields of a form that differ from its record: only these are saved.
   * @param fieldsOf the same fields of a record, where the form has them in another form
   * @throws Problem at the fields that another person has changed since; saving once more replaces them
   */
  changesOf<Body extends object>(
    body: Body,
    fieldsOf?: (record: T) => { readonly [K in keyof Body]?: unknown },
  ): Promise<Partial<Body>>;
}

/**
 * Edits a record that others may edit at the same time.
 * @param read reads the record again; undefined for a new one
 */
export function useEdited<T extends object>(
  record: T | undefined,
  read: ((record: T) => Promise<T>) | undefined,
): Edited<T> {
  const [opened] = useState(record);
  // What the person knows of it: the form, and what an earlier save has shown.
  const known = useRef(record);
  return {
    opened,
    async changesOf(body, fieldsOf = (of) => of) {
      if (opened === undefined || known.current === undefined || read === undefined) return body;
      const changes = changedFields(body, fieldsOf(opened));
      const [before, now] = [fieldsOf(known.current), await read(opened)];
      known.current = now;
      const fresh = fieldsOf(now);
      const taken: TakenField[] = [];
      for (const path in changes) {
        const value = fresh[path];
        if (!isSame(value, before[path]) && !isSame(value, body[path])) taken.push({ path, value });
      }
      if (taken.length > 0) throw changedElsewhere(taken);
      return changes;
    },
  };
}

/** A field that another person has changed, with its present value. */
interface TakenField {
  readonly path: string;
  readonly value: unknown;
}

function changedElsewhere(fields: readonly TakenField[]): Problem {
  return new Problem({
    status: 409,
    code: "conflict",
    message: "Changed elsewhere since you opened this form. Save again to replace it.",
    details: fields.map(({ path, value }) => ({
      path,
      message: `Changed elsewhere to ${shown(value)}. Save again to replace it.`,
    })),
  });
}

function shown(value: unknown): string {
  if (value === "" || value === null || value === undefined) return "nothing";
  const text = typeof value === "string" ? `“${value}”` : JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
