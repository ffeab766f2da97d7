import { use } from "react";
import type { ComponentProps, ReactNode } from "react";
import { DraftContext } from "../forms/draft-context.ts";
import { CONTROL, Field, useControl } from "./field.tsx";
import type { FieldProps } from "./field.tsx";
import { SelectIcon } from "./icons.ts";

/** Several lines of text; grows with them where the browser can. */
export function Textarea({ className = "", ...rest }: ComponentProps<"textarea">) {
  return (
    <textarea
      dir="auto"
      rows={4}
      {...useControl(rest)}
      className={`${CONTROL} field-sizing-content max-h-96 min-h-20 resize-y py-1.5 ${className}`}
    />
  );
}

/** The browser's own list: quick, and at home on a phone. */
export function Select({ className = "", children, ...rest }: ComponentProps<"select">) {
  return (
    <span className={`relative block ${className}`}>
      <select {...useControl(rest)} className={`${CONTROL} h-control appearance-none pe-8`}>
        {children}
      </select>
      <SelectIcon className="pointer-events-none absolute end-2 top-1/2 -translate-y-1/2 text-ink-3" />
    </span>
  );
}

/** A checkbox with its label beside it. */
export function Checkbox({ label, className = "", ...rest }: ComponentProps<"input"> & { readonly label: ReactNode }) {
  const typed = use(DraftContext)?.valuesOf(rest.name ?? "");
  const isChecked = typed?.includes(String(rest.value ?? "on"));
  return (
    <label
      className={`flex items-start gap-2 py-[calc((1.5rem-1lh)/2)] touch:min-h-11 touch:items-center touch:py-0 ${className}`}
    >
      <input
        type="checkbox"
        {...rest}
        {...(isChecked !== undefined && { defaultChecked: isChecked })}
        className="mt-[calc((1lh-1.5rem)/2)] touch:-mt-0.5"
      />
      <span>{label}</span>
    </label>
  );
}

/** A {@link Field} with several lines of text. */
export function TextareaField({ label, help, aside, path, error, ...area }: FieldProps & ComponentProps<"textarea">) {
  return (
    <Field {...{ label, help, aside, path, error }} name={area.name}>
      <Textarea {...area} />
    </Field>
  );
}

const NONE = {};

/** A {@link Field} with one of several values. @param props.options the label of each value */
export function SelectField({
  label,
  help,
  aside,
  path,
  error,
  options = NONE,
  children,
  ...select
}: FieldProps &
  ComponentProps<"select"> & { readonly options?: Readonly<Record<string, string>> | readonly string[] }) {
  return (
    <Field {...{ label, help, aside, path, error }} name={select.name}>
      <Select {...select}>
        {Object.entries(options).map(([key, words]) => (
          <option key={key} value={Array.isArray(options) ? words : key}>
            {words}
          </option>
        ))}
        {children}
      </Select>
    </Field>
  );
}
