import { TextField } from "../../../ui/field.tsx";
import { SelectField, TextareaField } from "../../../ui/fields.tsx";
import { numberAt, textAt, withFields } from "./fields.ts";
import type { Fields } from "./fields.ts";

/** The config or a part of it that a control belongs to. */
export interface Part {
  readonly fields: Fields;
  readonly onChange: (fields: Fields) => void;
  /** Where the part is, such as `config.steps.0`. */
  readonly path: string;
  readonly isReadOnly: boolean;
}

/** A control of one field of a part. */
export interface Control {
  readonly part: Part;
  readonly name: string;
  readonly label: string;
  readonly help?: string;
}

/** What the field of a control shows around it, and how the control changes the part. */
export function fieldOf({ part: { fields, onChange, path }, name, label, help }: Control) {
  return {
    field: { label, help, path: `${path}.${name}` },
    set: (value: unknown) => onChange(withFields(fields, { [name]: value })),
  };
}

/** Several lines of text; an empty text is kept as one. */
export function TextControl({ rows = 3, ...control }: Control & { readonly rows?: number }) {
  const { field, set } = fieldOf(control);
  const { fields, isReadOnly } = control.part;
  return (
    <TextareaField
      {...field}
      rows={rows}
      readOnly={isReadOnly}
      value={textAt(fields, control.name)}
      onChange={({ target }) => set(target.value)}
    />
  );
}

/** One line of text. */
export function LineControl({ placeholder, ...control }: Control & { readonly placeholder?: string }) {
  const { field, set } = fieldOf(control);
  const { fields, isReadOnly } = control.part;
  return (
    <TextField
      {...field}
      readOnly={isReadOnly}
      placeholder={placeholder}
      value={textAt(fields, control.name)}
      onChange={({ target }) => set(target.value)}
    />
  );
}

/** A number; the server validates it. */
export function NumberControl({
  otherwise,
  step = 1,
  ...control
}: Control & { readonly otherwise: number; readonly step?: number }) {
  const { field, set } = fieldOf(control);
  const { fields, isReadOnly } = control.part;
  return (
    <TextField
      {...field}
      type="number"
      step={step}
      min="0"
      inputMode="decimal"
      readOnly={isReadOnly}
      value={numberAt(fields, control.name, otherwise)}
      onChange={({ target }) => Number.isNaN(target.valueAsNumber) || set(target.valueAsNumber)}
    />
  );
}

/** One of several values. */
export function ChoiceControl({
  options,
  otherwise,
  ...control
}: Control & {
  /** The label of each value. */
  readonly options: Readonly<Record<string, string>>;
  readonly otherwise: string;
}) {
  const { field, set } = fieldOf(control);
  const value = textAt(control.part.fields, control.name);
  return (
    <SelectField
      {...field}
      disabled={control.part.isReadOnly}
      value={value === "" ? otherwise : value}
      options={options}
      onChange={({ target }) => set(target.value)}
    />
  );
}
