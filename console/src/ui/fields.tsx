import type { ComponentProps } from "react";
import { Field, Input, Select, Textarea } from "./field.tsx";
import type { FieldProps } from "./field.tsx";

/** A {@link Field} with one line of text. */
export function TextField({ label, help, aside, path, error, ...input }: FieldProps & ComponentProps<"input">) {
  return (
    <Field {...{ label, help, aside, path, error }} name={input.name}>
      <Input autoComplete="off" {...input} />
    </Field>
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
