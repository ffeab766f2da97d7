import { createContext, use, useId, useMemo } from "react";
import type { ComponentProps, ReactNode } from "react";
import { DraftContext } from "../forms/draft-context.ts";
import { useIssue, useRecordText } from "../forms/form-context.ts";

interface FieldIds {
  readonly id: string;
  readonly name: string | undefined;
  readonly describedBy: string | undefined;
  readonly isInvalid: boolean;
}

const Ids = createContext<FieldIds | undefined>(undefined);

/** The look of a control. */
export const CONTROL = "field";

/** What a {@link Field} shows around its control. */
export interface FieldProps {
  readonly label: string;
  readonly help?: ReactNode;
  /** Beside the label, such as "optional". */
  readonly aside?: ReactNode;
  /** The name of its control, which begins with the value that the record of the form has under it. */
  readonly name?: string | undefined;
  /** Where the server names its issues with the field otherwise. */
  readonly path?: string | readonly string[] | undefined;
  /** An issue that the form does not know. */
  readonly error?: string | undefined;
}

/** A label above a control; help and the server's message are below it. */
export function Field({
  label,
  help,
  aside,
  name,
  path = name ?? [],
  error: own,
  children,
}: FieldProps & { readonly children: ReactNode }) {
  const issue = useIssue(...[path].flat());
  const error = own ?? issue;
  const id = useId();
  const helpId = help === undefined ? undefined : `${id}-help`;
  const errorId = error === undefined ? undefined : `${id}-error`;
  const describedBy = [errorId, helpId].filter((each) => each !== undefined).join(" ") || undefined;
  const isInvalid = error !== undefined;
  const ids = useMemo(() => ({ id, name, describedBy, isInvalid }), [id, name, describedBy, isInvalid]);
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-2">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {aside !== undefined && <span className="text-small text-ink-3">{aside}</span>}
      </div>
      <Ids value={ids}>{children}</Ids>
      {error !== undefined && (
        <p id={errorId} className="text-small text-failed">
          {error}
        </p>
      )}
      {help !== undefined && (
        <p id={helpId} className="text-small text-ink-3">
          {help}
        </p>
      )}
    </div>
  );
}

interface Drawn {
  readonly name?: string | undefined;
  readonly value?: unknown;
  readonly type?: string | undefined;
}

/** What a control gets from its field, its form's record and its draft. */
export function useControl<Props extends Drawn>(drawn: Props) {
  const ids = use(Ids);
  const name = drawn.name ?? ids?.name;
  const begin = useBegin(name, drawn);
  return {
    ...(ids && { id: ids.id, "aria-describedby": ids.describedBy, "aria-invalid": ids.isInvalid || undefined }),
    ...drawn,
    ...(name !== undefined && { name }),
    ...(begin !== undefined && { defaultValue: begin }),
  };
}

/** What a control begins with, where its draft or the record has something other than the form. */
function useBegin(name = "", { value, type }: Drawn): string | undefined {
  const [typed] = use(DraftContext)?.valuesOf(name) ?? [];
  const stored = useRecordText(name);
  if (value !== undefined || type === "file") return undefined;
  return typed ?? (type === "password" ? undefined : stored);
}

/** One line of text. */
export function Input({ className = "", ...rest }: ComponentProps<"input">) {
  return <input dir="auto" {...useControl(rest)} className={`${CONTROL} h-control ${className}`} />;
}

/** A {@link Field} with one line of text. */
export function TextField({ label, help, aside, path, error, ...input }: FieldProps & ComponentProps<"input">) {
  return (
    <Field {...{ label, help, aside, path, error }} name={input.name}>
      <Input autoComplete="off" {...input} />
    </Field>
  );
}

/** What belongs to no single field of a form: the server's message on top of it. */
export function FormError({ className = "", children }: { readonly className?: string; readonly children: ReactNode }) {
  return (
    <p role="alert" className={`note bg-failed-soft text-failed ${className}`}>
      {children}
    </p>
  );
}
