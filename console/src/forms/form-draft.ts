import { use, useState } from "react";
import { isSame } from "../lib/changed-fields.ts";
import { DraftContext } from "./draft-context.ts";
import type { FormDraft } from "./draft-context.ts";
import { readDraft, storeDraft } from "./drafts.ts";

type Values = Readonly<Record<string, readonly string[]>>;

interface Kept<T> {
  /** What was typed and chosen, by the names of the fields. */
  readonly values: Values;
  /** The record on which that was begun. */
  readonly record?: T | undefined;
}

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
  const [[value = initial], setValues] = useDraftedList(field, [initial]);
  return [value, (next) => setValues([next])];
}

/** The same for a field with several values. */
export function useDraftedList(
  field: string,
  initial: readonly string[],
): readonly [readonly string[], (values: readonly string[]) => void] {
  const draft = use(DraftContext);
  const [values, setValues] = useState(() => draft?.valuesOf(field) ?? initial);
  return [
    values,
    (next) => {
      setValues(next);
      draft?.write(field, next, initial);
    },
  ];
}
