import { createContext, use, useState } from "react";
import { readDraft, storeDraft } from "./drafts.ts";
import { isSame } from "./changed-fields.ts";

type Values = Readonly<Record<string, readonly string[]>>;

interface Kept<T> {
  /** What was typed and chosen, by the names of the fields. */
  readonly values: Values;
  /** The record on which that was begun. */
  readonly record?: T | undefined;
}

/** What was typed into a form and is not sent. It survives the form, its page, and a reload of the tab. */
export interface FormDraft {
  /** There was one when the form was opened. */
  readonly isRestored: boolean;
  /** The values of a field; undefined while it is as the form gives it. */
  readonly valuesOf: (field: string) => readonly string[] | undefined;
  /** Stores the values of a field. @param initial those that the form gives it: they need no draft */
  readonly write: (field: string, values: readonly string[], initial?: readonly string[]) => void;
  readonly clear: () => void;
}

/** The draft of the form around; its fields begin with their values. */
export const DraftContext = createContext<FormDraft | undefined>(undefined);

/**
 * Opens the draft of a form.
 * @param name of the form and its record; without one nothing is stored
 * @returns the draft, and the record as it was when the draft was begun
 */
export function openDraft<T>(name: string | undefined, record: T | undefined): FormDraft & { readonly begunOn?: T } {
  const none: Kept<T> = { values: {}, record };
  const kept = name === undefined ? none : readDraft(name, none);
  let { values } = kept;
  const isRestored = Object.keys(values).length > 0;

  function store(next: Values): void {
    values = next;
    if (name !== undefined) storeDraft(name, Object.keys(next).length === 0 ? undefined : { ...kept, values });
  }

  return {
    isRestored,
    ...(kept.record !== undefined && { begunOn: kept.record }),
    valuesOf: (field) => values[field],
    write(field, typed, initial) {
      const { [field]: _, ...others } = values;
      store(isSame(typed, initial) ? others : { ...others, [field]: typed });
    },
    clear: () => store({}),
  };
}

/** The state of a field that draws itself, kept in the draft of its form. */
export function useDrafted(field: string, initial: string): readonly [string, (value: string) => void] {
  const draft = use(DraftContext);
  const [value, setValue] = useState(() => draft?.valuesOf(field)?.[0] ?? initial);
  return [
    value,
    (next) => {
      setValue(next);
      draft?.write(field, [next], [initial]);
    },
  ];
}
