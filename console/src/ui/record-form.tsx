import { useEffect, useRef, useState } from "react";
import type { FormEvent, ReactNode, RefObject } from "react";
import { isStale } from "../lib/changed-fields.ts";
import { DraftContext } from "../forms/draft-context.ts";
import { openDraft } from "../forms/form-draft.ts";
import type { FormDraft } from "../forms/draft-context.ts";
import { useEdited } from "../forms/use-edited.ts";
import type { Edited } from "../forms/use-edited.ts";
import { useSubmit } from "../forms/use-submit.ts";
import type { Submit } from "../forms/use-submit.ts";
import { Button } from "./button.tsx";
import { FormError } from "./field.tsx";
import { StaleNotice } from "./stale-notice.tsx";

/** What the parts of a form need of it. */
export type FormState = Pick<Submit, "isBusy" | "errorOf" | "errorUnder">;

/** A form that creates or changes a record. @typeParam T the record @typeParam S what a save gives */
export interface RecordFormProps<T extends object, S> {
  /** The name under which its draft is stored, of this form and record alone; undefined for none. */
  readonly draft: string | undefined;
  /** The record to change, and how it is read again; absent for a new one. */
  readonly record?: T | undefined;
  readonly read?: (record: T) => Promise<T>;
  /** The fields that show the server's issues themselves, as the server names them. */
  readonly fields: readonly string[];
  /** The fields of the record that a change by another person makes outdated; by default all. */
  readonly shown?: readonly (keyof T & string)[];
  /** Sends the form; what it throws is shown. */
  readonly save: (values: FormData, edited: Edited<T>) => Promise<S>;
  /** Goes on after that, when nothing is left to be kept. */
  readonly onSaved?: (saved: S) => void | Promise<void>;
  /** The form is sent for something else than to save its values, which stay. */
  readonly keepsDraft?: boolean;
  /** A field was changed, or all of them were discarded. */
  readonly onChange?: (field?: string) => void;
  /** Why the person may not use it. */
  readonly blockedBy?: string | undefined;
  readonly className?: string;
  /** The server alone judges it. */
  readonly noValidate?: boolean;
  /** The id of what describes it. */
  readonly describedBy?: string;
  /** The buttons at its end. */
  readonly actions: (form: FormState) => ReactNode;
  readonly children: (form: FormState) => ReactNode;
}

/**
 * A form that the server validates. What is typed is kept until it is saved or discarded, but for passwords, keys and
 * files: by Escape, a click beside it or a reload nothing is lost.
 */
export function RecordForm<T extends object, S>(props: RecordFormProps<T, S>) {
  const [discards, setDiscards] = useState(0);
  function discarded(): void {
    setDiscards(discards + 1);
    props.onChange?.();
  }
  return <OpenForm key={`${props.draft} ${discards}`} {...props} onDiscarded={discarded} />;
}

function OpenForm<T extends object, S>({
  draft: name,
  record,
  read,
  fields,
  shown,
  save,
  keepsDraft = false,
  onSaved,
  onChange,
  onDiscarded,
  blockedBy,
  className = "flex flex-col gap-4",
  noValidate = false,
  describedBy,
  actions,
  children,
}: RecordFormProps<T, S> & { readonly onDiscarded: () => void }) {
  const [draft] = useState(() => openDraft(name, record));
  const [isRestored, setRestored] = useState(draft.isRestored);
  const edited = useEdited(draft.begunOn ?? record, read);
  const { onSubmit, formError, ...state } = useSubmit(async (values) => {
    const saved = await save(values, edited);
    if (!keepsDraft) {
      draft.clear();
      setRestored(false);
    }
    await onSaved?.(saved);
  });
  const form = useRef<HTMLFormElement>(null);
  const keep = useKeeping(form, draft);
  const error = formError(fields);
  function discard(): void {
    draft.clear();
    onDiscarded();
  }
  return (
    <DraftContext value={draft}>
      <form
        ref={form}
        onSubmit={onSubmit}
        onChange={(event) => {
          keep(event);
          onChange?.(isField(event.target) ? event.target.name : "");
        }}
        className={className}
        noValidate={noValidate}
        aria-describedby={describedBy}
      >
        {isRestored && <DraftNotice onDiscard={discard} />}
        {error !== undefined && <FormError>{error}</FormError>}
        {shown !== undefined && isStale(shown, edited.opened, record) && <StaleNotice />}
        <fieldset disabled={blockedBy !== undefined} className="contents">
          {children(state)}
        </fieldset>
        {actions(state)}
      </form>
    </DraftContext>
  );
}

/** For the change events of a form: writes a draft of its named fields, other than secrets and files. */
function useKeeping(form: RefObject<HTMLFormElement | null>, draft: FormDraft) {
  const opened = useRef<FormData>(undefined);
  useEffect(() => {
    if (form.current !== null) opened.current = new FormData(form.current);
  }, [form]);
  return ({ target, currentTarget }: FormEvent<HTMLFormElement>): void => {
    if (!isField(target) || target.name === "" || UNKEPT.has(target.type)) return;
    const initial = draft.isRestored ? undefined : opened.current && textsIn(opened.current, target.name);
    draft.write(target.name, textsIn(new FormData(currentTarget), target.name), initial);
  };
}

/** The types of fields that are in no draft. */
const UNKEPT: ReadonlySet<string> = new Set(["password", "file"]);

function isField(of: EventTarget): of is HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement {
  return of instanceof HTMLInputElement || of instanceof HTMLSelectElement || of instanceof HTMLTextAreaElement;
}

function textsIn(values: FormData, name: string): readonly string[] {
  return values.getAll(name).filter((value) => typeof value === "string");
}

/** That the form is filled with what was typed before. */
function DraftNotice({ onDiscard }: { readonly onDiscard: () => void }) {
  return (
    <p role="status" className="-my-1 flex items-center gap-1 text-small text-ink-3">
      Draft restored ·
      <Button look="quiet" size="small" onClick={onDiscard}>
        Discard
      </Button>
    </p>
  );
}
