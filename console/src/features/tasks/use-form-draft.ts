import { useEffect, useState } from "react";
import type { FormEvent } from "react";
import { readDraft, storeDraft } from "../../lib/drafts.ts";
import type { Upload } from "./file-picker.tsx";

/** A form, until it is sent or discarded. */
interface FormDraft {
  /** What was typed and chosen, by the names of the fields. */
  readonly values: Readonly<Record<string, string>>;
  readonly uploads: readonly Upload[];
}

const EMPTY: FormDraft = { values: {}, uploads: [] };

/** What a form begins with, and what keeps it. */
export interface FormDraftState {
  readonly first: FormDraft["values"];
  readonly uploads: readonly Upload[];
  readonly setUploads: (change: (uploads: readonly Upload[]) => readonly Upload[]) => void;
  readonly isEmpty: boolean;
  readonly write: (name: string, value: string) => void;
  /** For the form: writes the field that was changed. */
  readonly onChange: (event: FormEvent<HTMLFormElement>) => void;
}

/** Keeps a form with named fields across a reload of the tab and other screens. @param name of its draft */
export function useFormDraft(name: string): FormDraftState {
  const [draft, setDraft] = useState(() => readDraft(name, EMPTY));
  const [first] = useState(draft.values);
  const isEmpty = draft.uploads.length === 0 && Object.values(draft.values).every((value) => value === "");
  useEffect(() => {
    const uploads = draft.uploads.filter(({ id }) => id !== undefined);
    storeDraft(name, isEmpty ? undefined : { ...draft, uploads });
  }, [name, draft, isEmpty]);
  const write = (field: string, value: string) =>
    setDraft((before) => ({ ...before, values: { ...before.values, [field]: value } }));
  return {
    first,
    uploads: draft.uploads,
    setUploads: (change) => setDraft((before) => ({ ...before, uploads: change(before.uploads) })),
    isEmpty,
    write,
    onChange({ target }) {
      const isField =
        target instanceof HTMLInputElement ||
        target instanceof HTMLTextAreaElement ||
        target instanceof HTMLSelectElement;
      if (isField && target.name !== "") write(target.name, target.value);
    },
  };
}
