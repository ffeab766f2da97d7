import { SelectField } from "../../../ui/fields.tsx";
import { OWN } from "./draft.ts";

/** Chooses none, the agent's own, or a saved record. */
export function SavedChoice({
  label,
  help,
  path,
  saved,
  value,
  onChange,
}: {
  readonly label: string;
  readonly help: string;
  readonly path: string;
  readonly saved: readonly { readonly id: string; readonly name: string }[];
  /** The id of a saved record, `OWN`, or empty for none. */
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  return (
    <SelectField label={label} path={path} help={help} value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">None</option>
      <option value={OWN}>Its own</option>
      {saved.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  );
}
