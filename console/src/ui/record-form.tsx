import { useLayoutEffect, useRef, useState } from "react";
import type { FormEvent, ReactNode, RefObject } from "react";
import { DraftContext } from "../forms/draft-context.ts";
import { openDraft } from "../forms/form-draft.ts";
import type { FormDraft } from "../forms/draft-context.ts";
import { useEdited } from "../forms/use-edited.ts";
import type { Edited } from "../forms/use-edited.ts";
import { Button } from "./button.tsx";
import { Form, FormProblem } from "./form.tsx";
import type { FormProps } from "./form.tsx";
import { StaleNotice } from "./stale-notice.tsx";

/** A form that creates or changes a record. @typeParam T the record @typeParam S what a save gives */
export interface RecordFormProps<T extends object, S> extends Pick<
  FormProps,
  "blockedBy" | "className" | "noValidate" | "aria-describedby" | "children"
> {
  /** The name under which its draft is stored, of this form and record alone; undefined for none. */
  readonly draft: string | undefined;
  /** The record to change, and how it is read again; absent for a new one. */
  readonly record?: T | undefined;
  readonly read?: (record: T) => Promise<T>;
  /** Sends the form; what it throws is shown. */
  readonly save: (values: FormData, edited: Edited<T>) => Promise<S>;
  /** Goes on after that, when nothing is left to be kept. */
  readonly onSaved?: (saved: S) => void | Promise<void>;
  /** The form is sent for something else than to save its values, which stay. */
  readonly keepsDraft?: boolean;
  /** A field was changed, or all of them were discarded. */
  readonly onChange?: (field?: string) => void;
  /** The buttons at its end. */
  readonly actions: ReactNode;
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
  save,
  keepsDraft = false,
  onSaved,
  onChange,
  onDiscarded,
  actions,
  children,
  ...form
}: RecordFormProps<T, S> & { readonly onDiscarded: () => void }) {
  const [draft] = useState(() => openDraft(name, record));
  const [isRestored, setRestored] = useState(draft.isRestored);
  const edited = useEdited(draft.begunOn ?? record, read);
  const own = useRef<HTMLFormElement>(null);
  const keep = useKeeping(own, draft);
  async function act(values: FormData): Promise<void> {
    const saved = await save(values, edited);
    if (!keepsDraft) {
      draft.clear();
      setRestored(false);
    }
    await onSaved?.(saved);
  }
  function discard(): void {
    draft.clear();
    onDiscarded();
  }
  return (
    <DraftContext value={draft}>
      <Form
        {...form}
        ref={own}
        record={record}
        act={act}
        onChange={(event) => {
          keep(event);
          onChange?.(isField(event.target) ? event.target.name : "");
        }}
      >
        {isRestored && <DraftNotice onDiscard={discard} />}
        <FormProblem />
        <StaleNotice opened={edited.opened} />
        <fieldset disabled={form.blockedBy !== undefined} className="contents">
          {children}
        </fieldset>
        {actions}
      </Form>
    </DraftContext>
  );
}

/** For the change events of a form: writes a draft of its named fields, other than secrets and files. */
function useKeeping(form: RefObject<HTMLFormElement | null>, draft: FormDraft) {
  const opened = useRef<FormData>(undefined);
  // Before anything can be typed: a passive effect may run with the first event, when it is typed already.
  useLayoutEffect(() => {
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
