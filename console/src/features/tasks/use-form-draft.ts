import { useEffect, useState } from "react";
import type { FormEvent } from "react";
import { readDraft, storeDraft } from "../../lib/drafts.ts";
import type { Upload } from "./file-picker.tsx";

const NAME = "new-task";

/** The form of a new task, until it is sent or discarded. */
interface TaskDraft {
  /** What was typed and chosen, by the names of the fields. */
  readonly values: Readonly<Record<string, string>>;
  readonly uploads: readonly Upload[];
}

const EMPTY: TaskDraft = { values: {}, uploads: [] };

/** What the form of a new task begins with, and what keeps it. */
export interface TaskDraftState {
  readonly first: TaskDraft["values"];
  readonly uploads: readonly Upload[];
  readonly setUploads: (change: (uploads: readonly Upload[]) => readonly Upload[]) => void;
  readonly isEmpty: boolean;
  readonly write: (name: string, value: string) => void;
  /** For the form: writes the field that was changed. */
  readonly onChange: (event: FormEvent<HTMLFormElement>) => void;
}

/** Keeps the form of a new task across a reload of the tab and other screens. */
export function useTaskDraft(): TaskDraftState {
  const [draft, setDraft] = useState(() => readDraft(NAME, EMPTY));
  const [first] = useState(draft.values);
  const isEmpty = draft.uploads.length === 0 && Object.values(draft.values).every((value) => value === "");
  useEffect(() => {
    const uploads = draft.uploads.filter(({ id }) => id !== undefined);
    storeDraft(NAME, isEmpty ? undefined : { ...draft, uploads });
  }, [draft, isEmpty]);
  const write = (name: string, value: string) =>
    setDraft((before) => ({ ...before, values: { ...before.values, [name]: value } }));
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

/** Removes it, once the task is given or the person discards it. */
export function removeTaskDraft(): void {
  storeDraft(NAME, undefined);
}
