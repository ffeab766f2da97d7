import { TextField } from "../../ui/field.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { textIn } from "../../forms/use-submit.ts";
import type { Route } from "./records.ts";

export const KIND = "kind";
const ALLOWED = "allowed_user_ids";

/** Chooses what a new route is for: its types depend on it. */
export function KindField({ kind, onChange }: { readonly kind: string; readonly onChange: (kind: string) => void }) {
  return (
    <SelectField
      name={KIND}
      label="For"
      help={kind === "people" ? "Agents' questions, with buttons and a link that needs no account." : undefined}
      value={kind}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="results">Results</option>
      <option value="people">Questions to people</option>
    </SelectField>
  );
}

/** Who may answer in the channel. */
export function AllowedField({ route }: { readonly route: Route | undefined }) {
  return (
    <TextField
      name={ALLOWED}
      label="Who may answer"
      aside="optional"
      help="The vendor's ids of people, separated by commas. Empty: everybody in the channel."
      spellCheck={false}
      defaultValue={route?.allowed_user_ids.join(", ") ?? ""}
    />
  );
}

/** The ids that were entered. */
export function allowedIn(values: FormData): string[] {
  return textIn(values, ALLOWED)
    .split(/[\s,]+/)
    .filter((id) => id !== "");
}
