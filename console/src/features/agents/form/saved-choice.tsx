import { Field, Select } from "../../../ui/field.tsx";
import { OWN } from "./draft.ts";

/** Chooses none, the agent's own, or a saved record. */
export function SavedChoice({
  label,
  help,
  error,
  saved,
  value,
  onChange,
}: {
  readonly label: string;
  readonly help: string;
  readonly error: string | undefined;
  readonly saved: readonly { readonly id: string; readonly name: string }[];
  /** The id of a saved record, `OWN`, or empty for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  return (
    <Field label={label} error={error} help={help}>
      <Select value={value} onChange={({ target }) => onChange(target.value)}>
        <option value="">None</option>
        <option value={OWN}>Its own</option>
        {saved.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  );
}
