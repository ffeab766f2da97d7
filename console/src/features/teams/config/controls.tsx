import { TextField } from "../../../ui/field.tsx";
import { SelectField, TextareaField } from "../../../ui/fields.tsx";
import { numberAt, textAt, withFields } from "./fields.ts";
import type { Fields } from "./fields.ts";
import { useIssue } from "./issues.tsx";

/** The config or a part of it that a control belongs to. */
export interface Part {
  readonly fields: Fields;
  readonly onChange: (fields: Fields) => void;
  /** Where the part is, such as `config.steps.0`. */
  readonly path: string;
  readonly isReadOnly: boolean;
}

interface Control {
  readonly part: Part;
  readonly name: string;
  readonly label: string;
  readonly help?: string;
}

/** Several lines of text; an empty text is kept as one. */
export function TextControl({ part, name, label, help, rows = 3 }: Control & { readonly rows?: number }) {
  const { fields, onChange, path, isReadOnly } = part;
  const error = useIssue(`${path}.${name}`);
  return (
    <TextareaField
      label={label}
      help={help}
      error={error}
      rows={rows}
      readOnly={isReadOnly}
      value={textAt(fields, name)}
      onChange={({ target }) => onChange(withFields(fields, { [name]: target.value }))}
    />
  );
}

/** One line of text. */
export function LineControl({ part, name, label, help, placeholder }: Control & { readonly placeholder?: string }) {
  const { fields, onChange, path, isReadOnly } = part;
  const error = useIssue(`${path}.${name}`);
  return (
    <TextField
      label={label}
      help={help}
      error={error}
      readOnly={isReadOnly}
      placeholder={placeholder}
      value={textAt(fields, name)}
      onChange={({ target }) => onChange(withFields(fields, { [name]: target.value }))}
    />
  );
}

/** A number; the server validates it. */
export function NumberControl({
  part,
  name,
  label,
  help,
  otherwise,
  step = 1,
}: Control & { readonly otherwise: number; readonly step?: number }) {
  const { fields, onChange, path, isReadOnly } = part;
  const error = useIssue(`${path}.${name}`);
  return (
    <TextField
      label={label}
      help={help}
      error={error}
      type="number"
      step={step}
      min="0"
      inputMode="decimal"
      readOnly={isReadOnly}
      value={numberAt(fields, name, otherwise)}
      onChange={({ target }) =>
        Number.isNaN(target.valueAsNumber) || onChange(withFields(fields, { [name]: target.valueAsNumber }))
      }
    />
  );
}

/** One of several values. */
export function ChoiceControl({
  part,
  name,
  label,
  help,
  options,
  otherwise,
}: Control & {
  readonly options: readonly { readonly value: string; readonly label: string }[];
  readonly otherwise: string;
}) {
  const { fields, onChange, path, isReadOnly } = part;
  const error = useIssue(`${path}.${name}`);
  const value = textAt(fields, name);
  return (
    <SelectField
      label={label}
      help={help}
      error={error}
      disabled={isReadOnly}
      value={value === "" ? otherwise : value}
      onChange={({ target }) => onChange(withFields(fields, { [name]: target.value }))}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </SelectField>
  );
}
